import type { connectHints, connectSteps } from '#schema/wire/connect.ts'
import type { Label } from '#schema/words.ts'

export const connectWords = {
  how: ['How to connect it', 'Как подключить'],
  address: ['Address', 'Адрес'],
  header: ['Header with the key', 'Заголовок с ключом'],
  uid: ['Uid in every frame', 'Uid в каждом пакете'],
  key: ['Device key', 'Ключ устройства'],
  noKey: ['none yet', 'ещё нет'],
  madeAt: ['made {at}', 'создан {at}'],
  usedAt: ['last used {at}', 'последнее использование {at}'],
  neverUsed: ['never used', 'не использовался'],
  protocol: [
    'The bytes of a frame, the answers and test vectors are in docs/device-protocol.md of the project.',
    'Байты пакета, ответы и проверочные примеры описаны в документе проекта о протоколе.',
  ],
  try: ['Try it by hand', 'Проверить вручную'],
  curl: ['One heartbeat by curl', 'Один сигнал связи из командной строки'],
  python: ['Example board in Python', 'Плата целиком: пример программы'],
  asks: [
    'Both ask for the key, so that it stays out of the history of the shell.',
    'Обе команды спросят ключ: так он не попадёт в историю оболочки.',
  ],
  steps: ['Connected so far', 'Ход подключения'],
  failed: ['The progress could not be read.', 'Не удалось прочитать ход подключения.'],
  DONE: ['done', 'готово'],
  WAITING: ['waiting', 'ожидание'],
  FAILED: ['needs attention', 'требует внимания'],
} as const satisfies Record<string, Label>

export const stepWords = {
  KEY: ['The board has a key', 'У платы есть ключ'],
  CONTACT: ['First packet came', 'Пришёл первый пакет'],
  CLOCK: ['Its clock is right', 'Часы идут верно'],
  TELEMETRY: ['First telemetry was read', 'Прочитана первая телеметрия'],
  CONFIGURATION: ['The configuration was taken', 'Конфигурация принята'],
} as const satisfies Record<(typeof connectSteps)[number], Label>

export const hintWords = {
  RETIRED: ['The board is retired: its key is no longer valid.', 'Плата списана: её ключ не действует.'],
  NO_KEY: ['An admin makes a key and puts it into the board.', 'Администратор создаёт ключ и вносит его в плату.'],
  DEMO_KEY: [
    'This board is simulated. Give it a device key to stop the simulation.',
    'Плата симулируется. Создайте ключ устройства, чтобы остановить симуляцию.',
  ],
  NEXT_KEY: [
    'A new key was made {at} and is not used yet; the present one works until then.',
    'Новый ключ создан {at} и ещё не использован; до этого действует прежний.',
  ],
  FORMER_KEY: [
    'A former key of this board was tried {at} from {ip}: put the present one into the board.',
    'Прежний ключ этой платы использован {at} с {ip}: внесите в плату действующий.',
  ],
  OTHER_UID: [
    'Its key came {at} with the uid {otherUid}, but this board has {uid}: correct the uid, or the key is in another board.',
    'Её ключ пришёл {at} с uid {otherUid}, а у этой платы {uid}: исправьте uid, или ключ внесён в другую плату.',
  ],
  KEY_OF_OTHER: [
    'Frames of the uid {uid} came {at} with the key of another board: put the key of this one into it.',
    'Пакеты с uid {uid} пришли {at} с ключом другой платы: внесите в неё ключ этой платы.',
  ],
  REFUSED: ['The last call was refused {at}: {refusal}.', 'Последний вызов отклонён {at}: {refusal}.'],
  NO_FRAME: [
    'The key was used {at}, but no frame came: the board has to send POST /api/device/v1/frames.',
    'Ключ использован {at}, но пакетов не было: плата должна вызвать POST /api/device/v1/frames.',
  ],
  NOTHING_CAME: [
    'Nothing came with this key: check address, network and time-outs at the board.',
    'С этим ключом ничего не приходило: проверьте на плате адрес, сеть и тайм-ауты.',
  ],
  STRANGE_KEY: [
    'A key that no board has was tried {at} from {ip}: if that is this board, its key is mistyped.',
    'Ключ, которого нет ни у одной платы, использован {at} с {ip}: если это она, ключ введён с ошибкой.',
  ],
  NO_CLOCK: [
    'Its frames carry no right time: values are kept at their arrival. Set the clock by the time in the answers.',
    'В пакетах нет верного времени: значения хранятся на время прихода. Ставьте часы по времени из ответов.',
  ],
  CLOCK_AHEAD: [
    'Its clock is {offset} ahead. Set it by the time in the answers.',
    'Часы спешат на {offset}. Ставьте их по времени из ответов.',
  ],
  CLOCK_BEHIND: [
    'Its clock is {offset} behind. Set it by the time in the answers.',
    'Часы отстают на {offset}. Ставьте их по времени из ответов.',
  ],
  INVALID: ['Refused within a day: {reason}, {count}×.', 'Отклонено за сутки: {reason}, {count}×.'],
  UNKNOWN_VERSION: [
    '{count} packets have a version of the protocol that this console does not know for {product}. They are kept and read once it does.',
    'Пакетов неизвестной консоли версии протокола для {product}: {count}. Они сохранены и будут прочитаны, когда версия станет известна.',
  ],
  NO_SAMPLE: ['Packets come, but none of them is telemetry.', 'Пакеты приходят, но телеметрии среди них нет.'],
  REJECTED: ['The board refused it: {reason}', 'Плата отклонила её: {reason}'],
  DIFFERS: ['The board runs with other values than asked for.', 'Плата работает с другими значениями.'],
  PENDING: [
    'It waits for the board since {at}: the board has to look at GET /api/device/v1/state and answer.',
    'Ждёт плату с {at}: плата должна запросить GET /api/device/v1/state и ответить.',
  ],
} as const satisfies Record<(typeof connectHints)[number], Label>
