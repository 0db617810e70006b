import type { Sentence } from '#schema/facts/why-facts.ts'
import type { Rule } from '#schema/rule.ts'

const boardIs = (cause: string): Rule => ({ all: [
  { field: 'connection.state', op: 'in', value: ['OFFLINE', 'STALE'] },
  { field: 'connection.cause', op: 'eq', value: cause },
] })
const sinceValid = {
  en: '{connection.state}[ since {connection.lastValidPacketAt} ({connection.lastValidPacketAt.ago})]',
  ru: '{connection.state}[ с {connection.lastValidPacketAt} ({connection.lastValidPacketAt.ago})]',
}
const sincePacket = {
  en: '{connection.state}[ since {connection.lastPacketAt} ({connection.lastPacketAt.ago})]',
  ru: '{connection.state}[ с {connection.lastPacketAt} ({connection.lastPacketAt.ago})]',
}

/** Why a board is in its state, and what to check first. */
export const boardWhy: readonly Sentence[] = [
  { when: { field: 'lifecycle', op: 'eq', value: 'RETIRED' }, tone: 'idle',
    text: ['Retired: no packets are expected.', 'Списана: пакеты не ожидаются.'] },
  { when: { field: 'connection.state', op: 'eq', value: 'NEVER' }, tone: 'idle', tab: 'connect',
    text: ['Has never reported. Create a device key and give it to the board:',
      'Ещё не выходила на связь. Создайте ключ устройства и передайте его плате:'] },
  { when: boardIs('MAINTENANCE'), tone: 'info',
    text: [`${sinceValid.en}: the site is under maintenance.`, `${sinceValid.ru}: на объекте обслуживание.`] },
  { when: boardIs('UPDATING'), tone: 'info', tab: 'firmware-updates',
    text: [`${sinceValid.en}: a firmware update restarts the board.`,
      `${sinceValid.ru}: плата перезапускается после обновления прошивки.`] },
  { when: boardIs('NO_PACKETS'), tone: 'connection.state', tab: 'telemetry-warnings',
    text: [`${sincePacket.en}: no packets arrive.[ Last heard over {connection.transport}.]`
      + '[ Signal then: {connection.rssiDbm}.] Check the power of the board first, then the network of the site:',
      `${sincePacket.ru}: пакеты не приходят.[ Последний канал: {connection.transport}.][ Сигнал: {connection.rssiDbm}.]`
      + ' Сначала проверьте питание платы, затем сеть на объекте:'] },
  { when: boardIs('BAD_DATA'), tone: 'connection.state', tab: 'package-control',
    text: [`${sinceValid.en}: packets arrive, but none is valid. Check first that product and firmware belong to the board:`,
      `${sinceValid.ru}: пакеты приходят, но все неверны. Сначала проверьте, подходят ли плате изделие и прошивка:`] },
  { when: { field: 'connection.cause', op: 'eq', value: 'CLOCK' }, tone: 'warn', tab: 'telemetry-warnings',
    text: ['Online, but its clock is wrong: values stand at the time of their arrival. Does it reach a time server?',
      'На связи, но часы неверны: значения записаны по времени прихода. Доступен ли сервер времени?'] },
  { when: { field: 'config.state', op: 'eq', value: 'REJECTED' }, tone: 'bad', tab: 'configuration',
    text: ['Online, but it has refused its configuration[: {config.rejectReason}]. See what differs:',
      'На связи, но отклонила конфигурацию[: {config.rejectReason}]. Посмотрите различия:'] },
  { when: { field: 'openWarnings', op: 'gt', value: 0 }, tone: 'warn', tab: 'telemetry-warnings',
    text: ['Online. Open warnings: {openWarnings}. Each says what to check first:',
      'На связи. Открытых предупреждений: {openWarnings}. В каждом сказано, что проверить сначала:'] },
  { when: { field: 'connection.state', op: 'eq', value: 'ONLINE' }, tone: 'good',
    text: ['Online and in order. Last packet {connection.lastPacketAt.ago}.',
      'На связи, всё в порядке. Последний пакет {connection.lastPacketAt.ago}.'] },
]

const siteIs = (cause: string): Rule => ({ all: [
  { field: 'connection', op: 'in', value: ['OFFLINE', 'STALE'] },
  { field: 'cause', op: 'eq', value: cause },
] })
const since = {
  en: '{connection}[ since {lastSignalAt} ({lastSignalAt.ago})]',
  ru: '{connection}[ с {lastSignalAt} ({lastSignalAt.ago})]',
}

/** Why a system is in its state: that of its best board, then its worst warning. */
export const essWhy: readonly Sentence[] = [
  { when: { field: 'lifecycle', op: 'eq', value: 'DECOMMISSIONED' }, tone: 'idle',
    text: ['Decommissioned: no signal is expected.', 'Выведена: сигнал не ожидается.'] },
  { when: { field: 'cause', op: 'eq', value: 'NO_BOARD' }, tone: 'idle', tab: 'control-pcb',
    text: ['No board is attached, so nothing is measured. Attach one:',
      'Плата не подключена, измерений нет. Подключите плату:'] },
  { when: { field: 'connection', op: 'eq', value: 'NEVER' }, tone: 'idle', tab: 'control-pcb',
    text: ['No board of it has ever reported. Open the board to connect it:',
      'Ни одна плата ещё не выходила на связь. Откройте плату, чтобы подключить её:'] },
  { when: siteIs('MAINTENANCE'), tone: 'info',
    text: [`${since.en}: it is under maintenance[ until {maintenance.until}].`,
      `${since.ru}: идёт обслуживание[ до {maintenance.until}].`] },
  { when: siteIs('UPDATING'), tone: 'info', tab: 'control-pcb',
    text: [`${since.en}: a firmware update restarts the board.`,
      `${since.ru}: плата перезапускается после обновления прошивки.`] },
  { when: siteIs('NO_PACKETS'), tone: 'connection', tab: 'control-pcb',
    text: [`${since.en}: no packets arrive. Check the power of the board first, then the network of the site:`,
      `${since.ru}: пакеты не приходят. Сначала проверьте питание платы, затем сеть на объекте:`] },
  { when: siteIs('BAD_DATA'), tone: 'connection', tab: 'control-pcb',
    text: [`${since.en}: packets arrive, but none is valid. Check first that product and firmware belong to the board:`,
      `${since.ru}: пакеты приходят, но все неверны. Сначала проверьте, подходят ли плате изделие и прошивка:`] },
  { when: { field: 'worstWarning', op: 'null', value: false }, tone: 'worstWarning',
    text: ['{connection}. Open warnings: {counts.openWarnings}, the worst is of severity “{worstWarning}”.',
      '{connection}. Открытых предупреждений: {counts.openWarnings}, самое тяжёлое: «{worstWarning}».'] },
  { when: { field: 'connection', op: 'eq', value: 'ONLINE' }, tone: 'good',
    text: ['Online and in order. Last signal {lastSignalAt.ago}.',
      'На связи, всё в порядке. Последний сигнал {lastSignalAt.ago}.'] },
]
