import type { Label } from '#schema/words.ts'

/** Meaning and remedy of each update failure, step by step. */
export type FailureGuide = { meaning: Label; steps: readonly [Label, ...Label[]] }

/** By the failure codes of resources/update-states.ts; a test holds the two together. */
export const failureGuides: Readonly<Record<string, FailureGuide>> = {
  OFFLINE: {
    meaning: ['The board did not come for the file within seven days.', 'Плата за семь дней не вышла за файлом.'],
    steps: [
      ['Find out first why the board does not report', 'Сначала выясните, почему плата не выходит на связь'],
      ['Try again once it is online', 'Повторите, когда она будет на связи'],
    ],
  },
  NO_SPACE: {
    meaning: ['The board has no room for the image.', 'На плате нет места для образа.'],
    steps: [
      ['End capture and a verbose log, which take room', 'Завершите запись пакетов и подробный журнал: они занимают место'],
      ['Let the board restart, then try again', 'Перезапустите плату и повторите'],
    ],
  },
  CHECKSUM: {
    meaning: ['The image arrived damaged. It is retried automatically.', 'Образ пришёл повреждённым. Повтор идёт сам.'],
    steps: [
      ['Look at signal and damaged packets of the board', 'Посмотрите сигнал и повреждённые пакеты платы'],
      [
        'If every attempt fails, compare the checksum of the file with the manufacturer’s',
        'Если не проходит ни одна попытка, сверьте контрольную сумму файла с суммой производителя',
      ],
    ],
  },
  SIGNATURE: {
    meaning: ['The board does not accept the signature of the image.', 'Плата не признала подпись образа.'],
    steps: [
      ['Do not try again: revoke the firmware', 'Не повторяйте: отзовите образ'],
      ['Ask for an image that is signed for these boards', 'Запросите образ с подписью для этих плат'],
    ],
  },
  INCOMPATIBLE: {
    meaning: ['The board says that the image is not made for it.', 'Плата сообщает, что образ не для неё.'],
    steps: [
      ['Compare the hardware revision on the board with its record', 'Сверьте версию платы на шильдике с записью'],
      ['Choose a firmware for that revision', 'Выберите прошивку для этой версии'],
    ],
  },
  FLASH: {
    meaning: ['The memory could not be written; the old version still runs.', 'Память не записалась; работает прежняя версия.'],
    steps: [
      ['Try once more while the supply is steady', 'Повторите один раз при стабильном питании'],
      ['When it fails again, plan to change the board', 'При повторе запланируйте замену платы'],
    ],
  },
  BOOT_LOOP: {
    meaning: [
      'The new version did not start, and the board went back.',
      'Новая версия не запустилась, плата вернулась к старой.',
    ],
    steps: [
      ['Do not try again with the same image', 'Не повторяйте с тем же образом'],
      ['See whether other boards fail the same way; if so, revoke the firmware', 'Если так же у других плат, отзовите образ'],
    ],
  },
  LOW_SOC: {
    meaning: ['The charge was too low for a safe restart.', 'Заряда не хватало для безопасного перезапуска.'],
    steps: [['Wait until the charge is at least 20 %, then try again', 'Дождитесь заряда не ниже 20 % и повторите']],
  },
  LOW_SUPPLY: {
    meaning: ['The supply of the board was too weak to write its memory.', 'Питания платы не хватило для записи памяти.'],
    steps: [
      ['Look at the supply voltage in the telemetry', 'Посмотрите напряжение питания в телеметрии'],
      ['Have the supply checked before trying again', 'Проверьте питание до повтора'],
    ],
  },
  TIMEOUT: {
    meaning: ['A step took longer than it may. It is retried automatically.', 'Шаг длился слишком долго. Повтор идёт сам.'],
    steps: [
      ['See in the course which step it was', 'Посмотрите в ходе обновления, какой это шаг'],
      [
        'While loading: look at the signal. After the restart: is the board online at all?',
        'При загрузке смотрите сигнал, после перезапуска — на связи ли плата',
      ],
    ],
  },
  USER: {
    meaning: ['The update was cancelled; the board keeps its version.', 'Обновление отменили; версия на плате прежняя.'],
    steps: [['Request it again when the reason is gone', 'Запросите снова, когда причина отпадёт']],
  },
  ROLLED_BACK: {
    meaning: [
      'The board came back with another version than the one it was to run.',
      'После перезапуска на плате оказалась не та версия.',
    ],
    steps: [
      ['Look at the resets and warnings after the restart', 'Посмотрите сбросы и предупреждения после перезапуска'],
      [
        'Twice in a row: do not try again, tell the developers of the firmware',
        'Дважды подряд — не повторяйте, сообщите разработчикам',
      ],
    ],
  },
}
