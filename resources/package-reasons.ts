import type { Label } from '#schema/words.ts'

export const packageTypes = {
  TELEMETRY: ['Telemetry', 'Телеметрия'],
  HEARTBEAT: ['Heartbeat', 'Сигнал связи'],
  EVENT: ['Event', 'Событие'],
  CONFIG_ACK: ['Configuration report', 'Ответ о конфигурации'],
  FW_PROGRESS: ['Update progress', 'Ход обновления'],
  BOOT: ['Start of the board', 'Запуск платы'],
  UNKNOWN: ['Unknown', 'Неизвестный'],
} as const satisfies Record<string, Label>

/** Why a packet is doubted, from what ends its reading to mere notes. */
export const packageReasons = {
  BAD_MAGIC: ['No start of a frame', 'Нет начала пакета'],
  LENGTH_MISMATCH: ['Length differs', 'Длина не совпадает'],
  CRC_MISMATCH: ['Checksum differs', 'Контрольная сумма не совпадает'],
  UNSUPPORTED_VERSION: ['Unknown protocol version', 'Неизвестная версия протокола'],
  UNKNOWN_TYPE: ['Unknown type', 'Неизвестный тип'],
  UNKNOWN_BOARD: ['Uid of another board', 'Uid другой платы'],
  DECODE_ERROR: ['Payload can not be read', 'Содержимое не читается'],
  DUPLICATE_SEQ: ['Sent again', 'Отправлен повторно'],
  CLOCK_FUTURE: ['Clock ahead', 'Часы спешат'],
  CLOCK_PAST: ['Clock behind', 'Часы отстают'],
  VALUE_OUT_OF_RANGE: ['Value out of range', 'Значение вне диапазона'],
  SENSOR_STUCK: ['Sensor stands still', 'Датчик застыл'],
  INCONSISTENT: ['Values contradict each other', 'Значения противоречат друг другу'],
  OUT_OF_ORDER: ['Came late', 'Пришёл с опозданием'],
  SEQ_GAP: ['Packets are missing before', 'Перед ним пропущены пакеты'],
  NOT_ATTACHED: ['Board belongs to no ESS', 'Плата не подключена к СНЭ'],
  UNSUPPORTED_FIELD: ['Unknown field', 'Неизвестное поле'],
} as const satisfies Record<string, Label>
