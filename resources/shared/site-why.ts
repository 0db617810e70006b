import type { Sentence } from '#schema/facts/why-facts.ts'
import type { Rule } from '#schema/rule.ts'

/** Records that are out of touch for a reason, by the paths of both. */
const lost = (state: string, cause: string) => (value: string): Rule => ({ all: [
  { field: state, op: 'in', value: ['OFFLINE', 'STALE'] }, { field: cause, op: 'eq', value }] })

const boardIs = lost('connection.state', 'connection.cause')
const validBefore = { state: 'connection.state', at: 'connection.lastValidPacketAt' }

/** Why a board is in its state, and what to check first. */
export const boardWhy: readonly Sentence[] = [
  { when: { field: 'lifecycle', op: 'eq', value: 'RETIRED' }, tone: 'idle',
    text: ['Retired: no packets are expected.', 'Списана: пакеты не ожидаются.'] },
  { when: { field: 'connection.state', op: 'eq', value: 'NEVER' }, tone: 'idle', tab: 'connect',
    text: ['Has never reported. Create a device key and give it to the board:',
      'Ещё не выходила на связь. Создайте ключ устройства и передайте его плате:'] },
  { when: boardIs('MAINTENANCE'), tone: 'info', since: validBefore,
    text: ['the site is under maintenance.', 'на объекте обслуживание.'] },
  { when: boardIs('UPDATING'), tone: 'info', since: validBefore, tab: 'firmware-updates',
    text: ['a firmware update restarts the board.', 'плата перезапускается после обновления прошивки.'] },
  { when: boardIs('NO_PACKETS'), tone: 'connection.state', tab: 'telemetry-warnings',
    since: { state: 'connection.state', at: 'connection.lastPacketAt' },
    text: ['no packets arrive[, last over {connection.transport}][ at {connection.rssiDbm}]. Check the power first:',
      'пакеты не приходят[, последний канал: {connection.transport}][, {connection.rssiDbm}]. Сначала проверьте питание:'] },
  { when: boardIs('BAD_DATA'), tone: 'connection.state', since: validBefore, tab: 'package-control',
    text: ['packets arrive, but none is valid. Check first that product and firmware belong to the board:',
      'пакеты приходят, но все неверны. Сначала проверьте, подходят ли плате изделие и прошивка:'] },
  { when: { field: 'connection.cause', op: 'eq', value: 'CLOCK' }, tone: 'warn', tab: 'telemetry-warnings',
    text: ['Online, but its clock is wrong: values are recorded with their arrival time. Does it reach a time server?',
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

const siteIs = lost('connection', 'cause')
const signalBefore = { state: 'connection', at: 'lastSignalAt' }

/** Why a system is in its state: that of its best board, then its worst warning. */
export const essWhy: readonly Sentence[] = [
  { when: { field: 'lifecycle', op: 'eq', value: 'DECOMMISSIONED' }, tone: 'idle',
    text: ['Decommissioned: no signal is expected.', 'Выведена: сигнал не ожидается.'] },
  { when: { field: 'cause', op: 'eq', value: 'NO_BOARD' }, tone: 'idle', tab: 'control-pcb',
    text: ['No board is attached, so nothing is measured. Attach one:',
      'Плата не подключена, измерений нет. Подключите плату:'] },
  { when: { field: 'connection', op: 'eq', value: 'NEVER' }, tone: 'idle', tab: 'control-pcb',
    text: ['None of its boards has ever reported. Open the board to connect it:',
      'Ни одна плата ещё не выходила на связь. Откройте плату, чтобы подключить её:'] },
  { when: siteIs('MAINTENANCE'), tone: 'info', since: signalBefore,
    text: ['it is under maintenance[ until {maintenance.until}].', 'идёт обслуживание[ до {maintenance.until}].'] },
  { when: siteIs('UPDATING'), tone: 'info', since: signalBefore, tab: 'control-pcb',
    text: ['a firmware update restarts the board.', 'плата перезапускается после обновления прошивки.'] },
  { when: siteIs('NO_PACKETS'), tone: 'connection', since: signalBefore, tab: 'control-pcb',
    text: ['no packets arrive. Check the power of the board first, then the network of the site:',
      'пакеты не приходят. Сначала проверьте питание платы, затем сеть на объекте:'] },
  { when: siteIs('BAD_DATA'), tone: 'connection', since: signalBefore, tab: 'control-pcb',
    text: ['packets arrive, but none is valid. Check first that product and firmware belong to the board:',
      'пакеты приходят, но все неверны. Сначала проверьте, подходят ли плате изделие и прошивка:'] },
  { when: { field: 'worstWarning', op: 'null', value: false }, tone: 'worstWarning',
    text: ['{connection}. Open warnings: {counts.openWarnings}, the worst is of severity “{worstWarning}”.',
      '{connection}. Открытых предупреждений: {counts.openWarnings}, самое тяжёлое: «{worstWarning}».'] },
  { when: { field: 'connection', op: 'eq', value: 'ONLINE' }, tone: 'good',
    text: ['Online and in order. Last signal {lastSignalAt.ago}.',
      'На связи, всё в порядке. Последний сигнал {lastSignalAt.ago}.'] },
]
