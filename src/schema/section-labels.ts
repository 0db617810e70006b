import type { Label } from './words.ts'

/** Titles of shared sections; any other section has its own label. */
export const sectionLabels: Readonly<Record<string, Label>> = {
  details: ['Details', 'Сведения'],
  identity: ['Identity', 'Общие сведения'],
  status: ['Status', 'Состояние'],
  nameplate: ['Nameplate', 'Паспортные данные'],
  location: ['Location', 'Расположение'],
  contact: ['Contact', 'Контакты'],
  preferences: ['Preferences', 'Настройки'],
  activity: ['Activity', 'Активность'],
  rollout: ['Rollout', 'Раскатка'],
  schedule: ['Schedule', 'Расписание'],
  people: ['People', 'Люди'],
  notes: ['Notes', 'Заметки'],
  history: ['History', 'История'],
}
