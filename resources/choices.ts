import type { Label } from '#schema/words.ts'

/** What people may be. */
export const roleOptions = {
  admin: ['Admin', 'Администратор'], moderator: ['Moderator', 'Модератор'],
  service_engineer: ['Service engineer', 'Сервисный инженер'],
  installer: ['Installer', 'Монтажник'], client: ['Client', 'Клиент'],
} as const satisfies Record<string, Label>

/** From which severity on somebody wants to hear of a warning. */
export const noticeLevels = {
  OFF: ['Nothing', 'Ничего'], INFO: ['Everything', 'Всё'], WARNING: ['Warnings', 'Предупреждения'],
  CRITICAL: ['Critical only', 'Только аварии'],
} as const satisfies Record<string, Label>

/** How many minutes after a warning somebody wants to hear of it, if it is still open by then. */
export const noticeDelays = {
  0: ['At once', 'Сразу'], 15: ['After 15 minutes', 'Через 15 минут'], 60: ['After an hour', 'Через час'],
  1440: ['After a day', 'Через сутки'],
} as const satisfies Record<number, Label>

/** Of which sites somebody wants to hear. */
export const noticeSites = {
  ALL: ['All sites', 'Все объекты'], RELATED: ['Related sites only', 'Только свои объекты'],
} as const satisfies Record<string, Label>

/** How a board reaches the server. */
export const transports = {
  LTE: ['LTE', 'LTE'], WIFI: ['Wi-Fi', 'Wi-Fi'], ETH: ['Ethernet', 'Ethernet'],
} as const satisfies Record<string, Label>

/** What cells are made of. */
export const chemistries = {
  LFP: ['LFP', 'LFP'], NMC: ['NMC', 'NMC'], LTO: ['LTO', 'LTO'], LEAD_ACID: ['Lead-acid', 'Свинцово-кислотная'],
} as const satisfies Record<string, Label>

/** What a system is for. */
export const profiles = {
  HOME: ['Home', 'Дом'], COMMERCIAL: ['Commercial', 'Коммерческий'],
} as const satisfies Record<string, Label>
