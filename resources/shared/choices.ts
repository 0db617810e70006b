import type { Role } from '#schema/roles.ts'
import { composed, type Label, type Language, languages } from '#schema/words.ts'

/** Labels of the roles. */
export const roleOptions = {
  admin:            ['Admin', 'Администратор'],
  moderator:        ['Moderator', 'Модератор'],
  service_engineer: ['Service engineer', 'Сервисный инженер'],
  installer:        ['Installer', 'Монтажник'],
  client:           ['Client', 'Клиент'],
} as const satisfies Record<Role, Label>

const languageName = (code: string, language: Language): string => {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(code) ?? code
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** The languages that a profile may name. */
export const languageOptions: Readonly<Record<string, Label>> = Object.fromEntries(
  languages.map((code) => [code, composed((language) => languageName(code, language))]),
)

/** Lowest severity of a warning that a person is notified of. */
export const noticeLevels = {
  OFF:      ['Nothing', 'Ничего'],
  INFO:     ['Everything', 'Всё'],
  WARNING:  ['Warnings', 'Предупреждения'],
  CRITICAL: ['Critical only', 'Только аварии'],
} as const satisfies Record<string, Label>

/** Minutes a warning must stay open before a person is notified. */
export const noticeDelays = {
  0:    ['At once', 'Сразу'],
  15:   ['After 15 minutes', 'Через 15 минут'],
  60:   ['After an hour', 'Через час'],
  1440: ['After a day', 'Через сутки'],
} as const satisfies Record<number, Label>

/** Sites whose warnings a person is notified of. */
export const noticeSites = {
  ALL:     ['All sites', 'Все объекты'],
  RELATED: ['Related sites only', 'Только свои объекты'],
} as const satisfies Record<string, Label>

/** Transports between a board and the server. */
export const transports = {
  LTE:  ['LTE', 'LTE'],
  WIFI: ['Wi-Fi', 'Wi-Fi'],
  ETH:  ['Ethernet||name', 'Ethernet'],
} as const satisfies Record<string, Label>

/** Uses of a system. */
export const profiles = {
  HOME:       ['Home', 'Дом'],
  COMMERCIAL: ['Commercial', 'Коммерческий'],
} as const satisfies Record<string, Label>
