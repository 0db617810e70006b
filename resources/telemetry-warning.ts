import type { State } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { fleetStaff } from '#schema/roles.ts'
import { cellPlace } from './fleet/cell-place.ts'
import { warningCodes } from './fleet/warnings/warning-codes.ts'
import { isAssigned, maintenanceFields, severities, warningAttention } from './shared/status-parts.ts'
import { warningActions } from './shared/telemetry-warning-actions.ts'

/** Without a tone: colour tells how severe a warning is, the state only how far it is dealt with. */
const warningStates = {
  ACTIVE_UNACK:  { tone: 'idle', label: ['Active', 'Активно'] },
  ACTIVE_ACK:    { tone: 'idle', label: ['Active, acknowledged', 'Подтверждено'] },
  CLEARED_UNACK: { tone: 'idle', label: ['Over, not acknowledged', 'Прошло, не подтверждено'] },
  CLEARED_ACK:   { tone: 'idle', label: ['Over', 'Прошло'] },
} as const satisfies Record<string, State>

/** Open work: it lasts, and neither maintenance nor a person has put it off. */
const open = { active: true, suppressed: false, snoozed: false } as const

/** Open work that nobody has acknowledged, snoozed or not. */
const unacknowledged = { active: true, suppressed: false, acknowledged: false } as const

/** Abnormal condition of a board or its battery; one record for as long as it lasts. */
export const telemetryWarning = defineResource({
  name: 'telemetry-warning',
  label: { one: ['Warning', 'Предупреждение'], many: ['Warnings', 'Предупреждения'] },
  icon: 'warning',
  menu: { group: 'fleet', count: { filters: open, tone: 'bad', label: ['open', 'открыто'] } },
  title: 'code',
  about: ['essId', 'controlPcbId'],
  live: true,

  fields: {
    code:           { type: 'enum',      label: ['Warning', 'Предупреждение'], readOnly: true, options: warningCodes,
      order: 'label' },
    severity:       { type: 'status',    label: ['Severity', 'Важность'], readOnly: true, states: severities },
    state:          { type: 'status',    label: ['State', 'Состояние'], derived: true, readOnly: true, states: warningStates },
    trip:           { type: 'boolean',   label: ['Battery tripped', 'Батарея отключена платой'], readOnly: true },
    latched:        { type: 'boolean',   label: ['Stays until cleared', 'До ручного снятия'], readOnly: true },
    source:         { type: 'enum',      label: ['Found by', 'Кем обнаружено'], readOnly: true,
      options: { BOARD: ['Board', 'Плата'], SERVER: ['Server', 'Сервер'] } },
    essId:          { type: 'reference', label: ['ESS', 'СНЭ'], readOnly: true, to: 'ess' },
    controlPcbId:   { type: 'reference', label: ['Control PCB', 'Плата'], readOnly: true, to: 'control-pcb' },
    subject:        { type: 'text',      label: ['Subject||place', 'Узел'], readOnly: true, worded: cellPlace },
    value:          { type: 'decimal',   label: ['Value', 'Значение'], readOnly: true, digits: 2, unitOf: 'unit' },
    threshold:      { type: 'decimal',   label: ['Threshold', 'Порог'], readOnly: true, digits: 2, unitOf: 'unit' },
    unit:           { type: 'text',      label: ['Unit', 'Единица'], readOnly: true },
    worseSeverity:  { type: 'status',    label: ['Was worse', 'Было хуже'], readOnly: true, states: severities },
    worseValue:     { type: 'decimal',   label: ['Worse value', 'Худшее значение'], readOnly: true, digits: 2, unitOf: 'unit' },
    worseThreshold: { type: 'decimal',   label: ['Threshold of the worse value', 'Порог худшего значения'], readOnly: true,
      digits: 2, unitOf: 'unit' },
    worstAt:        { type: 'dateTime',  label: ['Worst since', 'Хуже всего с'], readOnly: true },
    startedAt:      { type: 'dateTime',  label: ['Began', 'Началось'], readOnly: true },
    raisedAt:       { type: 'dateTime',  label: ['Raised', 'Обнаружено'], relative: true, readOnly: true },
    lastSeenAt:     { type: 'dateTime',  label: ['Last detected', 'Последний раз обнаружено'], relative: true, readOnly: true },
    occurrences:    { type: 'integer',   label: ['Occurrences', 'Повторов'], readOnly: true },
    active:         { type: 'boolean',   label: ['Active', 'Активно'], readOnly: true },
    clearedAt:      { type: 'dateTime',  label: ['Ended', 'Прошло'], readOnly: true },
    clearedBy:      { type: 'reference', label: ['Cleared by', 'Кем снято'], readOnly: true, to: 'user' },
    acknowledged:   { type: 'boolean',   label: ['Acknowledged', 'Подтверждено'], readOnly: true },
    acknowledgedAt: { type: 'dateTime',  label: ['Acknowledged at', 'Когда подтверждено'], readOnly: true },
    acknowledgedBy: { type: 'reference', label: ['Acknowledged by', 'Кем подтверждено'], readOnly: true, to: 'user' },
    ackNote:        { type: 'text',      label: ['Note', 'Примечание'], readOnly: true },
    assigneeId:     { type: 'reference', label: ['Assigned to', 'Кому назначено'], readOnly: true, to: 'user' },
    waitsSince:     { type: 'dateTime',  label: ['Unattended since', 'Без внимания с'], readOnly: true,
      detailOnly: true },
    snoozed:        { type: 'boolean',   label: ['Snoozed', 'Отложено'], derived: true, readOnly: true },
    snoozedUntil:   { type: 'dateTime',  label: ['Snoozed until', 'Отложено до'], readOnly: true },
    snoozedBy:      { type: 'reference', label: ['Snoozed by', 'Кем отложено'], readOnly: true, to: 'user' },
    snoozeReason:   { type: 'text',      label: ['Snooze reason', 'Почему отложено'], readOnly: true },
    comments:       { type: 'list',      label: ['Comments', 'Комментарии'], readOnly: true, detailOnly: true, fields: {
      at:   { type: 'dateTime', label: ['Time', 'Время'] },
      by:   { type: 'text',     label: ['Who', 'Кто'] },
      byId: { type: 'reference', label: ['Author', 'Автор'], to: 'user' },
      text: { type: 'longText', label: ['Comment', 'Комментарий'] },
    } },
    suppressed:     { type: 'boolean',   label: ['During maintenance', 'Во время обслуживания'], readOnly: true },
    maintenance:    { type: 'group',     label: ['Muted by maintenance', 'Заглушено обслуживанием'], readOnly: true,
      detailOnly: true, fields: maintenanceFields },
    attention:      warningAttention,
    served: isAssigned,
    flapping:       { type: 'boolean',   label: ['Comes and goes', 'Появляется и исчезает'], readOnly: true },
    packageId:      { type: 'reference', label: ['Packet', 'Пакет'], readOnly: true, to: 'package' },
    caseId:         { type: 'reference', label: ['Case file', 'Досье'], derived: true, readOnly: true, detailOnly: true,
      to: 'case-file' },
    snapshot:       { type: 'json',      label: ['Values when raised', 'Значения при возникновении'], readOnly: true,
      detailOnly: true },
  },

  list: {
    columns: ['severity', 'code', 'state', 'essId', 'controlPcbId', 'subject', 'value', 'raisedAt', 'assigneeId'],
    filters: ['severity', 'state', 'acknowledged', 'assigneeId', 'active', 'code', 'snoozed', 'suppressed', 'essId',
      'controlPcbId', 'startedAt', 'raisedAt'],
    search: ['code', 'essId', 'controlPcbId', 'subject'],
    sort: { field: 'attention', order: 'asc' },
    card: [['severity', 'code'], ['essId', 'state', 'raisedAt']],
    inbox: { start: 'unassigned', groups: ['code', 'essId'], tabs: {
      mine:       { label: ['Mine', 'Мои'],                  filters: { ...open, assigneeId: '$user.id' },
        text: ['Open warnings that you have taken or were given stand here.',
          'Здесь открытые предупреждения, которые вы взяли или которые назначены вам.'] },
      unassigned: { label: ['Unassigned', 'Не назначенные'], filters: { ...open, assigneeId_null: true },
        only: 'served',
        text: ['Open warnings that nobody has taken stand here; for engineers, those of the ESS that they serve.',
          'Здесь открытые предупреждения, которые никто не взял; для инженеров — с СНЭ, которые они обслуживают.'] },
      all:        { label: ['All', 'Все'],                   filters: open,
        text: ['Open warnings stand here, whoever has them, except snoozed ones and those of a maintenance.',
          'Здесь открытые предупреждения, кто бы ими ни занимался, кроме отложенных и вызванных обслуживанием.'] },
    } },
    tone: { bad: { all: [{ field: 'active', op: 'eq', value: true }, { field: 'severity', op: 'eq', value: 'CRITICAL' }] } },
    bulk: ['acknowledge', 'take', 'assign', 'snooze', 'clear', 'comment'],
    views: { open: { label: ['Active', 'Активные'], filters: open },
      unacknowledged: { label: ['Unacknowledged', 'Неподтверждённые'], filters: unacknowledged },
      mine: { label: ['Assigned to me', 'Назначенные мне'], filters: { active: true, assigneeId: '$user.id' } },
      snoozed: { label: ['Snoozed', 'Отложенные'], filters: { snoozed: true } } },
    empty: { title: ['No warnings', 'Предупреждений нет'],
      text: ['A board or the server raises one when a value leaves its limits or a board falls silent.',
        'Их создают плата или сервер, когда значение выходит за пределы или плата замолкает.'] },
  },
  tabs: {
    index: { label: ['Warning', 'Предупреждение'], widget: 'warning-record' },
  },
  actions: warningActions,
  figures: {
    unacknowledged: { place: 'now', by: 'severity', label: ['Unacknowledged warnings', 'Неподтверждённые предупреждения'],
      whole: true, worstFirst: true, filters: unacknowledged },
  },
  access: { list: fleetStaff },
})
