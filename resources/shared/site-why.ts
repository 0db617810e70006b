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
    text: ['Has never reported. See what it still needs:', 'Ещё не выходила на связь. Что ещё нужно:'] },
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

/** Systems of which one board is in trouble while another is online. */
const oneBoardIs = (value: string): Rule => ({ all: [
  { field: 'connection', op: 'eq', value: 'ONLINE' }, { field: 'cause', op: 'eq', value }] })

/** Why a system is in its state: that of its boards, then its worst warning. */
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
  { when: oneBoardIs('BAD_DATA'), tone: 'bad', record: 'trouble.controlPcbId',
    text: ['Online, but the packets of one board are not valid[, ' +
      'the last valid one came {trouble.since} ({trouble.since.ago})]. Check its product and firmware first:',
    'На связи, но пакеты одной платы неверны[, ' +
      'последний верный пришёл {trouble.since} ({trouble.since.ago})]. Сначала проверьте её изделие и прошивку:'] },
  { when: oneBoardIs('NO_PACKETS'), tone: 'bad', record: 'trouble.controlPcbId',
    text: ['Online, but one board is silent[, its last packet came {trouble.since} ({trouble.since.ago})]. ' +
      'Check its power first, then its network:',
    'На связи, но одна плата молчит[, последний пакет пришёл {trouble.since} ({trouble.since.ago})]. ' +
      'Сначала проверьте её питание, затем сеть:'] },
  { when: { field: 'worstWarning', op: 'null', value: false }, tone: 'worstWarning', record: 'worst.warningId',
    since: { state: 'worstWarning', at: 'worst.raisedAt' },
    text: ['online, open warnings: {counts.openWarnings}. The worst one says what to check first:',
      'на связи, открытых предупреждений: {counts.openWarnings}. Что проверить сначала, сказано в самом тяжёлом:'] },
  { when: oneBoardIs('CLOCK'), tone: 'warn', record: 'trouble.controlPcbId',
    text: ['Online, but the clock of one board is wrong[, noticed {trouble.since} ({trouble.since.ago})]. ' +
      'Does it reach a time server?',
    'На связи, но часы одной платы неверны[, замечено {trouble.since} ({trouble.since.ago})]. ' +
      'Доступен ли ей сервер времени?'] },
  { when: oneBoardIs('UPDATING'), tone: 'info', record: 'trouble.controlPcbId',
    text: ['Online. A firmware update restarts one board[, its last packet came {trouble.since} ({trouble.since.ago})]:',
      'На связи. Одна плата обновляется[, последний пакет пришёл {trouble.since} ({trouble.since.ago})]:'] },
  { when: oneBoardIs('MAINTENANCE'), tone: 'info', record: 'trouble.controlPcbId',
    text: ['Online. One board is silent during maintenance[, its last packet came {trouble.since} ({trouble.since.ago})]:',
      'На связи, идёт обслуживание. Одна плата молчит[ с {trouble.since} ({trouble.since.ago})]:'] },
  { when: { field: 'connection', op: 'eq', value: 'ONLINE' }, tone: 'good',
    text: ['Online and in order. Last signal {lastSignalAt.ago}.',
      'На связи, всё в порядке. Последний сигнал {lastSignalAt.ago}.'] },
]
