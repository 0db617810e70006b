import type { Fields } from '#schema/field-types.ts'

export const locationFields = {
  address: { type: 'text', label: ['Address', 'Адрес'], maxLength: 250 },
  lat: { type: 'decimal', label: ['Latitude', 'Широта'], min: -90, max: 90, digits: 5 },
  lon: { type: 'decimal', label: ['Longitude', 'Долгота'], min: -180, max: 180, digits: 5 },
  timezone: { type: 'timezone', label: ['Time zone', 'Часовой пояс'], required: true },
} as const satisfies Fields

export const essCountFields = {
  boards: { type: 'count', label: ['Boards', 'Платы'] },
  guests: { type: 'count', label: ['Guests', 'Гости'] },
  serviceEngineers: { type: 'count', label: ['Service engineers', 'Сервисные инженеры'] },
  openWarnings: { type: 'count', label: ['Open warnings', 'Открытых предупреждений'] },
} as const satisfies Fields

export const maintenanceFields = {
  until: { type: 'dateTime', label: ['Until', 'До'] },
  reason: { type: 'text', label: ['Reason', 'Причина'] },
  byId: { type: 'reference', label: ['By', 'Кем'], to: 'user' },
} as const satisfies Fields
