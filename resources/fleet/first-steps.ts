import type { ListFilters } from '#schema/facts/figure-facts.ts'
import type { Role } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'

/** A step that gets a person going: done when the list has a row with these values. `href` is the page that does it. */
export type FirstStep = { label: Label; resource: string; filters?: ListFilters; href: string }

const staffSteps = [
  { label: ['Create the first client', 'Создайте первого клиента'], resource: 'client', href: '/client/create' },
  { label: ['Add the first ESS', 'Добавьте первую СНЭ'], resource: 'ess', href: '/ess/create' },
  { label: ['Register the first board', 'Зарегистрируйте первую плату'], resource: 'control-pcb', href: '/control-pcb/create' },
  {
    label: ['Connect the board: its first packet arrives', 'Подключите плату: придёт её первый пакет'],
    resource: 'control-pcb',
    filters: { 'connection.state_ne': 'NEVER' },
    href: '/control-pcb?connection.state=NEVER',
  },
  { label: ['Upload firmware', 'Загрузите прошивку'], resource: 'firmware', href: '/firmware/create' },
  {
    label: ['Invite a colleague', 'Пригласите коллегу'],
    resource: 'user',
    filters: { role: ['moderator', 'service_engineer', 'installer'] },
    href: '/user/create',
  },
] as const satisfies readonly FirstStep[]

const engineerSteps = [
  {
    label: ['Ask staff to assign you an ESS', 'Попросите назначить вам СНЭ'],
    resource: 'ess',
    filters: { served: true },
    href: '/ess?served=true',
  },
  {
    label: ['See a board of yours online', 'Убедитесь, что плата на связи'],
    resource: 'control-pcb',
    filters: { served: true, 'connection.state': 'ONLINE' },
    href: '/control-pcb?served=true',
  },
  {
    label: ['Take a warning', 'Возьмите предупреждение'],
    resource: 'telemetry-warning',
    filters: { assigneeId: '$user.id' },
    href: '/inbox',
  },
  {
    label: ['Acknowledge a warning', 'Подтвердите предупреждение'],
    resource: 'telemetry-warning',
    filters: { acknowledgedBy: '$user.id' },
    href: '/inbox',
  },
  {
    label: ['Open a case file', 'Соберите досье'],
    resource: 'case-file',
    filters: { createdBy: '$user.id' },
    href: '/telemetry-warning?active=true',
  },
  {
    label: ['Request a firmware update', 'Запросите обновление прошивки'],
    resource: 'firmware-update',
    filters: { requestedBy: '$user.id' },
    href: '/control-pcb?served=true',
  },
] as const satisfies readonly FirstStep[]

/** Six steps of each role that works with lists; installers and clients see their own systems and what is open there. */
export const firstSteps: Readonly<Partial<Record<Role, readonly FirstStep[]>>> = {
  admin: staffSteps,
  moderator: staffSteps,
  service_engineer: engineerSteps,
}
