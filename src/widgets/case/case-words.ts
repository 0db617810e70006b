import type { Label } from '#schema/words.ts'

/** The words of a case file's page. */
export const caseWords = {
  holds: ['What it holds', 'Что в нём'],
  open: [
    'What {board} sends until {until} is still added. From then on nothing of it is removed.',
    'До {until} добавляется всё, что присылает {board}. После этого ничего не удаляется.',
  ],
  whole: [
    'Everything that {board} sent in this time is kept for as long as this file exists, also when older data are removed.',
    'Всё, что {board} прислала за это время, хранится в досье всегда, даже когда старые данные удаляются.',
  ],
  download: ['Download ZIP', 'Скачать ZIP'],
  chart: ['Telemetry of that time', 'Телеметрия за это время'],
  packages: ['Packages of that time', 'Пакеты за это время'],
  about: ['About', 'О досье'],
} as const satisfies Record<string, Label>
