import type { Label } from '#schema/words.ts'

/** Meaning of a reason by its code. */
export const reasonWords: Readonly<Record<string, Label>> = {
  BAD_MAGIC: [
    'A frame starts with the bytes e5 5a. This one does not, so nothing was read from it.',
    'Пакет начинается с байтов e5 5a. Здесь их нет, поэтому ничего не прочитано.',
  ],
  LENGTH_MISMATCH: [
    'The frame is longer or shorter than it says of itself: bytes were lost or added on the way.',
    'Длина пакета не такая, как указано в нём самом: байты потеряны или добавлены в пути.',
  ],
  CRC_MISMATCH: [
    'The checksum of the bytes is not the one that was sent with them: at least one bit was changed on the way.',
    'Контрольная сумма байтов не равна переданной: в пути изменился хотя бы один бит.',
  ],
  UNSUPPORTED_VERSION: [
    'The board speaks a version of the protocol that this decoder does not know.',
    'Плата использует версию протокола, которую этот декодер не знает.',
  ],
  UNKNOWN_TYPE: ['There is no packet of this type in the protocol.', 'Пакета такого типа в протоколе нет.'],
  UNKNOWN_BOARD: [
    'The key belongs to one board, the uid in the frame to another: the key was copied, or the board was swapped.',
    'Ключ принадлежит одной плате, а uid в пакете другой: ключ скопирован или плату заменили.',
  ],
  DECODE_ERROR: [
    'The checksum is right, but these bytes are no value of the field.',
    'Контрольная сумма верна, но эти байты не являются значением поля.',
  ],
  DUPLICATE_SEQ: [
    'The same bytes came before. They are counted, not stored twice.',
    'Такие же байты уже приходили. Они учтены, но второй раз не сохранены.',
  ],
  CLOCK_FUTURE: [
    "The board's clock is ahead. The values are kept at the time of arrival.",
    'Часы платы спешат. Значения сохранены на время прихода.',
  ],
  CLOCK_PAST: [
    "The board's clock is behind. The values are kept at the time of arrival.",
    'Часы платы отстают. Значения сохранены на время прихода.',
  ],
  UPDATE_STATE: [
    'The report does not fit the update of the board. It changes nothing.',
    'Сообщение не соответствует обновлению платы. Оно ничего не меняет.',
  ],
  VALUE_OUT_OF_RANGE: [
    'The value is impossible at this site. It is left out, the rest is kept.',
    'На этом объекте такое значение невозможно. Оно отброшено, остальное сохранено.',
  ],
  SENSOR_STUCK: [
    'The sensor repeats the same value for hours while what moves it changes. The value is left out.',
    'Датчик часами повторяет одно значение, хотя то, от чего оно зависит, меняется. Значение отброшено.',
  ],
  INCONSISTENT: [
    'The value contradicts the others, or the one before. Doubtful values were discarded, the others stored.',
    'Значение противоречит другим или предыдущему. Сомнительное отброшено, остальное сохранено.',
  ],
  SOC_RECALIBRATED: [
    'The battery is full or empty, and the board corrected the state of charge by it. The value is kept.',
    'Батарея заряжена или разряжена полностью, и плата исправила по этому заряд. Значение сохранено.',
  ],
  OUT_OF_ORDER: [
    'A later packet came first. The values keep their own time.',
    'Более поздний пакет пришёл раньше. Значения сохранены с собственным временем.',
  ],
  SEQ_GAP: ['Packets between the last one and this one never came.', 'Пакеты между предыдущим и этим не пришли.'],
  NOT_ATTACHED: [
    'The board is not attached to a system, so only values that are impossible anywhere are discarded.',
    'Плата не привязана к СНЭ, поэтому отброшены только значения, невозможные нигде.',
  ],
  OTHER_PRODUCT: [
    'The board says that it is another product than its record. Its frames may be read wrongly and its images may not fit: correct the record.',
    'Плата называет себя не тем изделием, что в её карточке. Пакеты могут читаться неверно, а прошивки не подойти: исправьте карточку.',
  ],
  UNSUPPORTED_FIELD: [
    'The frame has bytes after the last field that this decoder knows. They are left unread.',
    'После последнего известного декодеру поля есть ещё байты. Они не прочитаны.',
  ],
}
