import type { Label } from '#schema/words.ts'
import { isWarningCode, type WarningCode, warningCodes } from './warning-codes.ts'
import { warningGuides } from './warning-guides.ts'

/** A warning in plain words, for a user of the system. */
export type PlainWords = { title: Label; meaning: Label }

const unseen: Label = ['The system does not report', 'Система не выходит на связь']
const serviceSettings: Label = ['A setting is to be checked', 'Нужно проверить настройку']
const serviceSoftware: Label = ['The software of the system needs attention', 'Программа системы требует внимания']

/** Replacements where title and meaning use service terms: boards, packets, cabinet parts. */
const own: Partial<Record<WarningCode, PlainWords>> = {
  COMM_LOST: {
    title: unseen,
    meaning: [
      'The system has not reported for a long time. The battery goes on working by itself. Is the internet connection of the house up?',
      'От системы давно нет данных. Батарея продолжает работать сама. Проверьте, есть ли в доме интернет.',
    ],
  },
  PKT_INVALID_RATE: {
    title: ['Some measurements are missing', 'Часть измерений теряется'],
    meaning: [
      'A part of what the system reports arrives damaged, so what is shown here may have gaps.',
      'Часть данных системы приходит с ошибками, поэтому показанное здесь может быть неполным.',
    ],
  },
  CLOCK_DRIFT: {
    title: ['The clock of the system is wrong', 'Часы системы сбиты'],
    meaning: [
      'What is shown here may stand at a wrong time. The battery itself works as usual.',
      'Показанное здесь может относиться к другому времени. Сама батарея работает как обычно.',
    ],
  },
  REBOOT_LOOP: {
    title: ['The control of the system restarts again and again', 'Управление системы постоянно перезапускается'],
    meaning: ['It may pause for a moment each time.', 'При каждом перезапуске возможна короткая пауза в работе.'],
  },
  CONFIG_REJECTED: {
    title: serviceSettings,
    meaning: [
      'A new setting was not accepted. The system keeps the previous one.',
      'Новая настройка не принята. Система работает по прежней.',
    ],
  },
  CONFIG_DRIFT: {
    title: serviceSettings,
    meaning: [
      'The system runs with another setting than the service knows of.',
      'Система работает не с той настройкой, которая известна сервису.',
    ],
  },
  FW_UPDATE_FAILED: {
    title: serviceSoftware,
    meaning: [
      'An update failed. The system keeps its previous version.',
      'Обновление не удалось. Система работает на прежней версии.',
    ],
  },
  FW_REVOKED: {
    title: serviceSoftware,
    meaning: ['Its version is to be replaced by another one.', 'Её версию нужно заменить на другую.'],
  },
  CONTACTOR_FAULT: {
    title: ['The battery cannot be switched safely', 'Батарею нельзя безопасно переключить'],
    meaning: [
      'A switch inside the cabinet does not respond. Please do not switch the system on or off.',
      'Переключатель внутри шкафа не срабатывает. Пожалуйста, не включайте и не выключайте систему.',
    ],
  },
  PRECHARGE_FAIL: {
    title: ['The battery could not be switched on', 'Батарею не удалось включить'],
    meaning: [
      'It stopped the start to protect itself and is not connected.',
      'Она прервала включение для самозащиты и не подключена.',
    ],
  },
  BMS_INTERNAL: {
    title: ['The battery has switched itself off', 'Батарея отключилась'],
    meaning: [
      'Its protection has found a fault in itself, so it stays off until the service has looked at it.',
      'Её защита нашла ошибку в себе, поэтому батарея отключена, пока её не осмотрит сервис.',
    ],
  },
  MAINTENANCE_ON: {
    title: warningCodes.MAINTENANCE_ON,
    meaning: ['People are working at the system.', 'С системой сейчас работают.'],
  },
}

/** Label of a code newer than this console. */
const unknown: PlainWords = {
  title: ['The system reports a fault', 'Система сообщает о неисправности'],
  meaning: ['The service team can tell you more.', 'Подробности подскажет сервис.'],
}

/** Title and meaning of a warning in words that take no knowledge of the inside. */
export function plainWords(code: string): PlainWords {
  if (!isWarningCode(code)) return unknown
  return own[code] ?? { title: warningCodes[code], meaning: warningGuides[code].meaning }
}
