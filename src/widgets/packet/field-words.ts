import { factsOf, isChannel } from '#resources/fleet/channel-of.ts'
import type { Label } from '#schema/words.ts'

/** Frame fields that are no channels of a sample. */
const frameWords = {
  magic: ['Start of the frame', 'Начало пакета'],
  protocolVersion: ['Protocol version', 'Версия протокола'],
  type: ['Type', 'Тип'],
  seq: ['Sequence', 'Номер'],
  uid: ['Uid of the board', 'Uid платы'],
  deviceTime: ['Device time', 'Время платы'],
  payloadLength: ['Length of the payload', 'Длина содержимого'],
  crc: ['Checksum', 'Контрольная сумма'],
  rest: ['Rest', 'Остаток'],
  payload: ['Payload', 'Содержимое'],
  unknown: ['No frame', 'Не пакет'],
  firmwareVersion: ['Firmware', 'Прошивка'],
  product: ['Product', 'Изделие'],
  transport: ['Transport', 'Канал связи'],
  resetReason: ['Last reset||reason', 'Причина перезапуска'],
  rebootCount: ['Reboots', 'Перезапусков'],
  freeHeapB: ['Free memory', 'Свободная память'],
  raisedFlags: ['Flags that rose', 'Появившиеся флаги'],
  clearedFlags: ['Flags that fell', 'Снятые флаги'],
  subject: ['Subject||place', 'Узел'],
  value: ['Value', 'Значение'],
  configVersion: ['Configuration version', 'Версия конфигурации'],
  result: ['Result', 'Результат'],
  rejectReason: ['Reason of the refusal', 'Причина отказа'],
  configuration: ['Configuration', 'Конфигурация'],
  updateId: ['Update', 'Обновление'],
  state: ['State', 'Состояние'],
  progressPct: ['Progress||share', 'Выполнено'],
  receivedB: ['Received', 'Получено'],
  failure: ['Failure', 'Сбой'],
  toVersion: ['Target version', 'Целевая версия'],
  bootloaderVersion: ['Bootloader', 'Загрузчик'],
  previousVersion: ['Previous version', 'Предыдущая версия'],
  hardwareRevision: ['Hardware', 'Аппаратная версия'],
} as const satisfies Record<string, Label>

const isFrameWord = (name: string): name is keyof typeof frameWords => Object.hasOwn(frameWords, name)

/** Label of a frame field; an unknown one keeps the decoder's name. */
export function fieldLabel(name: string): Label {
  if (isFrameWord(name)) return frameWords[name]
  return isChannel(name) ? factsOf(name).label : [name, name]
}
