import type { Label } from '#schema/words.ts'

export const caseWords = {
  holds: ['What it holds', 'Что в нём'],
  span: [
    'From half an hour before the warning began to half an hour after it was last there, at most its first day.',
    'С получаса до начала предупреждения до получаса после того, как оно было в последний раз, но не дольше первых суток.',
  ],
  open: [
    'Late data of {board} is added. Nothing is removed.',
    'Всё, что {board} ещё пришлёт за это время, добавится. Ничего из этого не удаляется.',
  ],
  whole: [
    'Nothing of what {board} sent in this time is ever removed.',
    'Ничего из того, что {board} прислала за это время, не удаляется.',
  ],
  download: ['Download ZIP', 'Скачать ZIP'],
  chart: ['Telemetry of that time', 'Телеметрия за это время'],
  packages: ['Packets of that time', 'Пакеты за это время'],
  about: ['About||case file', 'О досье'],
} as const satisfies Record<string, Label>
