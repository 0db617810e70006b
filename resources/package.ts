import type { State } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'
import { transports } from './shared/choices.ts'
import { products } from './shared/products.ts'

export const packageTypes = {
  TELEMETRY:   ['Telemetry', 'Телеметрия'],
  HEARTBEAT:   ['Heartbeat', 'Сигнал связи'],
  EVENT:       ['Event', 'Событие'],
  CONFIG_ACK:  ['Configuration report', 'Ответ о конфигурации'],
  FW_PROGRESS: ['Update progress', 'Ход обновления'],
  BOOT:        ['Start of the board', 'Запуск платы'],
  UNKNOWN:     ['Unknown', 'Неизвестный'],
} as const satisfies Record<string, Label>

/** Reasons to doubt a packet, the fatal ones first. */
export const packageReasons = {
  BAD_MAGIC:           ['No start of a frame', 'Нет начала пакета'],
  LENGTH_MISMATCH:     ['Length differs', 'Длина не совпадает'],
  CRC_MISMATCH:        ['Checksum differs', 'Контрольная сумма не совпадает'],
  UNSUPPORTED_VERSION: ['Unknown protocol version', 'Неизвестная версия протокола'],
  UNKNOWN_TYPE:        ['Unknown type', 'Неизвестный тип'],
  UNKNOWN_BOARD:       ['Uid of another board', 'Uid другой платы'],
  DECODE_ERROR:        ['Payload cannot be read', 'Содержимое не читается'],
  DUPLICATE_SEQ:       ['Sent again', 'Отправлен повторно'],
  CLOCK_FUTURE:        ['Clock ahead', 'Часы спешат'],
  CLOCK_PAST:          ['Clock behind', 'Часы отстают'],
  VALUE_OUT_OF_RANGE:  ['Value out of range', 'Значение вне диапазона'],
  SENSOR_STUCK:        ['Sensor stands still', 'Датчик застыл'],
  INCONSISTENT:        ['Values contradict each other', 'Значения противоречат друг другу'],
  SOC_RECALIBRATED:    ['State of charge was calibrated', 'Заряд откалиброван'],
  OUT_OF_ORDER:        ['Came late', 'Пришёл с опозданием'],
  SEQ_GAP:             ['Packets are missing before', 'Перед ним пропущены пакеты'],
  NOT_ATTACHED:        ['Board belongs to no ESS', 'Плата не подключена к СНЭ'],
  OTHER_PRODUCT:       ['Registered as another product', 'Зарегистрирована как другое изделие'],
  UNSUPPORTED_FIELD:   ['Unknown field', 'Неизвестное поле'],
  UPDATE_STATE:        ['Does not fit the update', 'Не соответствует ходу обновления'],
} as const satisfies Record<string, Label>

const packageStates = {
  VALID:           { tone: 'good', label: ['Valid', 'Верный'] },
  PARTIAL:         { tone: 'warn', label: ['Partial', 'Частичный'] },
  INVALID:         { tone: 'bad',  label: ['Invalid', 'Неверный'] },
  DUPLICATE:       { tone: 'idle', label: ['Duplicate', 'Повтор'] },
  UNKNOWN_VERSION: { tone: 'info', label: ['Unknown version', 'Неизвестная версия'] },
} as const satisfies Record<string, State>

/** A raw data packet of a board: the bytes as they came, what was read from them, and why it was doubted. */
export const packageControl = defineResource({
  name: 'package',
  route: 'package-control',
  label: { one: ['Package', 'Пакет'], many: ['Package control', 'Контроль пакетов'] },
  icon: 'package',
  menu: { group: 'fleet' },
  title: 'id',
  live: true,
  logsReads: true,

  fields: {
    controlPcbId:    { type: 'reference', label: ['Control PCB', 'Плата'], to: 'control-pcb', readOnly: true },
    uid:             { type: 'hex',       label: ['Uid||name', 'Uid'], bytes: 6, readOnly: true },
    essId:           { type: 'reference', label: ['ESS', 'СНЭ'], to: 'ess', readOnly: true },
    receivedAt:      { type: 'dateTime',  label: ['Received', 'Получен'], seconds: true, readOnly: true },
    deviceTime:      { type: 'dateTime',  label: ['Device time', 'Время платы'], seconds: true, readOnly: true },
    clockSkewMs:     { type: 'quantity',  label: ['Clock skew', 'Сдвиг часов'], unit: 'ms', scale: 's',
      readOnly: true },
    seq:             { type: 'integer',   label: ['Sequence', 'Номер'], readOnly: true },
    gapBefore:       { type: 'integer',   label: ['Gap before', 'Пропуск перед'], readOnly: true },
    product:         { type: 'enum',      label: ['Product', 'Изделие'], readOnly: true, detailOnly: true, options: products },
    type:            { type: 'enum',      label: ['Type', 'Тип'], readOnly: true, options: packageTypes },
    protocolVersion: { type: 'integer',   label: ['Protocol', 'Протокол'], readOnly: true },
    firmwareVersion: { type: 'semver',    label: ['Firmware', 'Прошивка'], readOnly: true },
    transport:       { type: 'enum',      label: ['Transport', 'Канал связи'], readOnly: true, options: transports },
    sizeBytes:       { type: 'bytes',     label: ['Size', 'Размер'], readOnly: true },
    status:          { type: 'status',    label: ['Validity', 'Достоверность'], readOnly: true, states: packageStates },
    isValid:         { type: 'boolean',   label: ['Valid', 'Верный'], derived: true, readOnly: true },
    reason:          { type: 'tags',      label: ['Reasons', 'Причины'], readOnly: true, options: packageReasons },
    reasons:         { type: 'list',      label: ['Reasons', 'Причины'], readOnly: true, fields: {
      code:          { type: 'text',    label: ['Reason', 'Причина'] },
      severity:      { type: 'text',    label: ['Severity', 'Важность'] },
      field:         { type: 'text',    label: ['Field', 'Поле'] },
      offset:        { type: 'integer', label: ['Offset', 'Смещение'] },
      length:        { type: 'integer', label: ['Length', 'Длина'] },
      expected:      { type: 'text',    label: ['Expected', 'Ожидалось'] },
      actual:        { type: 'text',    label: ['Actual', 'Получено'] },
      suspectOffset: { type: 'integer', label: ['Suspect byte', 'Подозрительный байт'] },
    } },
    raw:             { type: 'hex',       label: ['Raw bytes', 'Байты'], readOnly: true, detailOnly: true },
    truncated:       { type: 'boolean',   label: ['Cut off', 'Обрезан'], readOnly: true, detailOnly: true },
    fields:          { type: 'list',      label: ['Fields', 'Поля'], readOnly: true, detailOnly: true, fields: {
      name:   { type: 'text',    label: ['Field', 'Поле'] },
      offset: { type: 'integer', label: ['Offset', 'Смещение'] },
      length: { type: 'integer', label: ['Length', 'Длина'] },
      raw:    { type: 'text',    label: ['Raw', 'Сырое'] },
      value:  { type: 'json',    label: ['Value', 'Значение'] },
      unit:   { type: 'text',    label: ['Unit', 'Единица'] },
      ok:     { type: 'boolean', label: ['In order', 'В порядке'] },
    } },
    decoderVersion:  { type: 'text',      label: ['Decoder', 'Декодер'], readOnly: true },
    reprocessedAt:   { type: 'dateTime',  label: ['Decoded again', 'Декодирован повторно'], readOnly: true },
  },

  list: {
    columns: ['receivedAt', 'controlPcbId', 'type', 'seq', 'status', 'reason', 'sizeBytes', 'clockSkewMs'],
    filters: ['status', 'reason', 'type', 'controlPcbId', 'essId', 'firmwareVersion', 'uid', 'receivedAt'],
    sort: { field: 'receivedAt', order: 'desc' },
    limit: 50,
    facet: { field: 'reason', from: 'package/reasons' },
    views: { invalid: { label: ['Not valid', 'Неверные'], filters: { status: ['PARTIAL', 'INVALID'] } } },
    empty: { title: ['No packages yet', 'Пакетов пока нет'],
      text: ['Boards send them. They appear once a board has its key and calls.',
        'Их присылают платы. Они появятся, когда у платы будет ключ и она выйдет на связь.'] },
  },
  tabs: {
    index: { label: ['Microscope', 'Микроскоп'], widget: 'packet-microscope' },
  },
  actions: {
    reprocess: {
      label: ['Decode again', 'Декодировать снова'], icon: 'refresh', call: ['POST', 'package/{id}/reprocess'], roles: staff,
      when: { field: 'status', op: 'ne', value: 'DUPLICATE' },
      success: ['The packet is decoded with the present decoder', 'Пакет декодирован текущей версией декодера'],
    },
  },
  access: { list: fleetStaff },
})
