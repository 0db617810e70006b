import type { ProblemTable } from '#server/base/problem-table.ts'
import { problemsOf } from '#server/base/problems.ts'

/** Problems of a firmware image, by fault code with its location, and of a release without a second person. */
export const imageProblems = {
  'firmware-image.bad-magic': {
    status: 422,
    text: [
      'This is not a firmware image (offset {offset}: {expected} ≠ {actual})',
      'Это не образ прошивки (смещение {offset}: {expected} ≠ {actual})',
    ],
  },
  'firmware-image.bad-header-version': {
    status: 422,
    text: [
      'The header of the image has an unknown version (offset {offset}: {expected} ≠ {actual})',
      'Неизвестная версия заголовка образа (смещение {offset}: {expected} ≠ {actual})',
    ],
  },
  'firmware-image.unknown-product': {
    status: 422,
    text: [
      'The header of the image names a product that is not known here (offset {offset}: {expected} ≠ {actual})',
      'В заголовке образа указано неизвестное изделие (смещение {offset}: {expected} ≠ {actual})',
    ],
  },
  'firmware-image.no-hardware': {
    status: 422,
    text: [
      'The header of the image names no hardware revision (offset {offset}: {expected} ≠ {actual})',
      'В заголовке образа не указаны аппаратные версии (смещение {offset}: {expected} ≠ {actual})',
    ],
  },
  'firmware-image.bad-length': {
    status: 422,
    text: [
      'The length of the image differs from its header (offset {offset}: {expected} ≠ {actual})',
      'Длина образа не совпадает с заголовком (смещение {offset}: {expected} ≠ {actual})',
    ],
  },
  'firmware-image.bad-crc': {
    status: 422,
    text: [
      'The checksum of the image is wrong (offset {offset}: {expected} ≠ {actual})',
      'Контрольная сумма образа не совпадает (смещение {offset}: {expected} ≠ {actual})',
    ],
  },
  'firmware.second-person': {
    status: 403,
    text: [
      'You uploaded this firmware or started its testing. Another admin has to release it',
      'Вы загрузили эту прошивку или отправили её на испытания. Выпустить её должен другой администратор',
    ],
  },
} as const satisfies ProblemTable

export const imageProblem = problemsOf(imageProblems)
