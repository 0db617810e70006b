import type { ProblemTable } from '#server/base/problem-table.ts'
import { problemsOf } from '#server/base/problems.ts'

/** Problems of imports: a malformed table, or an undo that is no longer possible. */
export const fillingProblems = {
  'import.already-undone': { status: 409, text: ['This import is already undone', 'Эта загрузка уже отменена'] },
  'import.running': {
    status: 409,
    text: ['An import is running. Wait until it ends', 'Идёт загрузка. Дождитесь её окончания'],
  },
  'import.interrupted': {
    status: 503,
    text: [
      'The import was interrupted. Send the file again: rows that are there already are skipped',
      'Загрузка прервана. Отправьте файл снова: уже загруженные строки пропускаются',
    ],
  },
  'import.exchange-too-large': {
    status: 400,
    text: [
      '{rows} rows exchange unique values in one ring; at most {most} can. Send two files: the first gives one of them a free value',
      '{rows} строк обмениваются уникальными значениями по кругу, а можно не более {most}. Отправьте два файла: первый даёт одной из них свободное значение',
    ],
  },
  'import.no-key': {
    status: 400,
    text: [
      'Records of this kind have no unique value that a file may fill, so no row tells which one it changes. Import without changing: every row makes a new record',
      'У записей этого вида нет уникального значения, которое заполняет файл, поэтому по строке не понять, какую из них изменить. Загрузите без изменения: каждая строка создаст новую запись',
    ],
  },
  'import.key-not-filled': {
    status: 400,
    text: [
      'No row tells which record it changes. Fill the columns that are unique: {keys}',
      'По строкам не понять, какие записи изменить. Заполните уникальные столбцы: {keys}',
    ],
  },
  'undo.interrupted': {
    status: 503,
    text: [
      'The undo was interrupted. Press Undo again: it goes on where it was',
      'Отмена прервана. Нажмите «Отменить» снова: она продолжится с того же места',
    ],
  },
  'csv.encoding': {
    status: 400,
    text: ['The file is not UTF-8. Save it as “CSV UTF-8”', 'Файл не в UTF-8. Сохраните его как «CSV UTF-8»'],
  },
  'csv.empty': { status: 400, text: ['The file is empty', 'Файл пуст'] },
  'csv.open-quote': {
    status: 400,
    text: ['A quote opened on line {line} is never closed', 'Кавычка, открытая в строке {line}, не закрыта'],
  },
  'csv.text-after-quote': {
    status: 400,
    text: ['Line {line} has text after a closing quote', 'В строке {line} после закрывающей кавычки стоит текст'],
  },
  'csv.too-large': {
    status: 400,
    text: [
      'The file has more than {maxRows} rows or {maxColumns} columns. Split it',
      'В файле больше {maxRows} строк или {maxColumns} столбцов. Разделите его',
    ],
  },
} as const satisfies ProblemTable

export const fillingProblem = problemsOf(fillingProblems)
