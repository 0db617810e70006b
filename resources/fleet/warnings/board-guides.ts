import type { WarningGuide } from './warning-guide.ts'

/** Guides for the boards themselves. */
export const boardGuides = {
  COMM_LOST: {
    meaning: [
      'No valid packet has come from the board for a long time. The battery goes on with its last configuration.',
      'От платы давно нет верных пакетов. Батарея работает по последней конфигурации.',
    ],
    causes: [
      ['No internet or mobile network', 'Нет интернета или мобильной связи'],
      ['Power of the site is off', 'Объект обесточен'],
      ['Board or antenna broken', 'Неисправна плата или антенна'],
    ],
    checks: [
      [
        'See whether packets come at all: damaged ones are another matter[; the last one: {pcb.connection.lastPacketAt}]',
        'Приходят ли пакеты вообще: повреждённые — другой случай[; последний: {pcb.connection.lastPacketAt}]',
      ],
      [
        'Look at signal and supply before it went silent[: {rssiDbm} and {supplyMv} in the last sample]',
        'Посмотрите сигнал и питание перед пропаданием[: в последнем измерении {rssiDbm} и {supplyMv}]',
      ],
      ['See whether neighbours are silent, too', 'Молчат ли соседние объекты'],
    ],
    actions: [
      ['Ask the site to restart its router', 'Попросите перезапустить роутер'],
      ['After 24 hours plan a visit', 'Через сутки запланируйте выезд'],
    ],
  },
  PKT_INVALID_RATE: {
    meaning: [
      'Many packets of the board arrive damaged, so measurements are missing.',
      'Многие пакеты платы приходят повреждёнными, измерения теряются.',
    ],
    causes: [
      ['Bad line or weak signal', 'Плохая линия или слабый сигнал'],
      ['Fault of the board or its firmware', 'Неисправность платы или прошивки'],
    ],
    checks: [
      [
        'Open package control with the filter of invalid ones: which reason is it?[ {pcb.quality24h.invalid} of {pcb.quality24h.received} within 24 hours]',
        'Откройте контроль пакетов с фильтром неверных: какая причина?[ За сутки {pcb.quality24h.invalid} из {pcb.quality24h.received}]',
      ],
      ['Compare with the signal[: now {rssiDbm}]', 'Сравните с уровнем сигнала[: сейчас {rssiDbm}]'],
    ],
    actions: [
      ['Ask for a cable instead of radio, or another place of the antenna', 'Замените радио на кабель или перенесите антенну'],
      ['Update the firmware when the reason is always the same field', 'Если причина всегда в одном поле — обновите прошивку'],
    ],
  },
  CLOCK_DRIFT: {
    meaning: [
      'The clock of the board is wrong, so its measurements stand at a wrong time or are only estimated.',
      'Часы платы сбиты: измерения попадают не на своё время или только оцениваются.',
    ],
    causes: [
      ['Time servers cannot be reached', 'Недоступны серверы времени'],
      ['Battery of the clock empty', 'Села батарейка часов'],
    ],
    checks: [
      [
        'See the offset and since when it is there[: now {pcb.clockOffsetMs}]',
        'Какой сдвиг и с какого времени[: сейчас {pcb.clockOffsetMs}]',
      ],
      ['1970 means that the clock lost its time altogether', '1970 год — часы полностью потеряли время'],
    ],
    actions: [
      ['Ask the site to open the port for time (NTP, UDP 123)', 'Попросите открыть порт времени (NTP, UDP 123)'],
      ['Plan the change of the clock battery', 'Запланируйте замену батарейки часов'],
    ],
  },
  REBOOT_LOOP: {
    meaning: ['The board has started too often within an hour.', 'Плата слишком часто запускалась в течение часа.'],
    causes: [
      ['Weak supply (reason brown-out)', 'Слабое питание (причина — просадка)'],
      ['Firmware error (reason watchdog)', 'Ошибка прошивки (причина — сторожевой таймер)'],
    ],
    checks: [
      [
        'Look at the reason of the last reset[: {pcb.board.lastResetReason}]',
        'Посмотрите причину последнего сброса[: {pcb.board.lastResetReason}]',
      ],
      ['Look at the supply voltage[: now {supplyMv}]', 'Посмотрите напряжение питания[: сейчас {supplyMv}]'],
    ],
    actions: [
      ['Brown-out: have the power supply changed', 'Просадка: замените блок питания'],
      ['Watchdog: install the previous or the next firmware', 'Сторожевой таймер: поставьте предыдущую или новую прошивку'],
    ],
  },
  CONFIG_REJECTED: {
    meaning: [
      'The board refused the requested configuration and keeps the previous one.',
      'Плата отклонила запрошенную конфигурацию и работает по прежней.',
    ],
    causes: [
      ['A value that this board or its firmware does not support', 'Значение не поддерживается платой или прошивкой'],
      ['Values that contradict each other', 'Значения противоречат друг другу'],
    ],
    checks: [
      [
        'Read the reason that the board gave[: {pcb.config.rejectReason}]',
        'Прочтите причину от платы[: {pcb.config.rejectReason}]',
      ],
      ['Compare with a board of the same firmware that accepted it', 'Сравните с платой той же прошивки, которая её приняла'],
    ],
    actions: [
      ['Change the named field and save again', 'Исправьте названное поле и сохраните снова'],
      ['Make the configuration that it runs the desired one', 'Сделайте желаемой ту, по которой она работает'],
    ],
  },
  CONFIG_DRIFT: {
    meaning: [
      'The board runs with other values than it had acknowledged: they were changed on site.',
      'Плата работает не с теми значениями, которые подтвердила: их изменили на месте.',
    ],
    causes: [
      ['A change on site, at the display or by a laptop', 'Изменение на месте, с дисплея или ноутбука'],
      ['The board fell back to its defaults', 'Плата вернулась к заводским значениям'],
    ],
    checks: [
      [
        'See which fields differ[: version {pcb.config.reportedVersion} on the board, {pcb.config.desiredVersion} is wanted]',
        'Какие поля различаются[: на плате версия {pcb.config.reportedVersion}, нужна {pcb.config.desiredVersion}]',
      ],
      ['Ask if anyone was on site', 'Был ли кто-то на объекте'],
    ],
    actions: [
      ['Save the desired configuration again', 'Сохраните желаемую конфигурацию снова'],
      ['Or take over what the board runs with', 'Или примите то, с чем работает плата'],
    ],
  },
  FW_UPDATE_FAILED: {
    meaning: [
      'The last firmware update did not succeed; the board runs the version before. Rolled back twice means that this version does not start on it.',
      'Последнее обновление прошивки не удалось, плата работает на прежней версии. Два отката — версия на ней не запускается.',
    ],
    causes: [
      ['The connection broke while loading', 'Связь прервалась при загрузке'],
      ['The image does not start on this hardware', 'Образ не запускается на этом оборудовании'],
      ['Supply too weak while writing', 'Слабое питание при записи'],
    ],
    checks: [
      ['Read the events of the update[ to {subject}]', 'Прочтите события обновления[ до {subject}]'],
      ['See whether others of the same hardware have it', 'Установили ли её другие платы той же версии'],
    ],
    actions: [
      ['Try again when charge and signal are good', 'Повторите при хорошем заряде и сигнале'],
      ['After two rollbacks stop, and report the version', 'После двух откатов остановитесь и сообщите о версии'],
    ],
  },
  FW_REVOKED: {
    meaning: [
      'The firmware of this board was revoked because it is known to be bad.',
      'Прошивка этой платы отозвана: известно, что она неисправна.',
    ],
    causes: [['The version was withdrawn after it had been installed', 'Версию отозвали после установки']],
    checks: [
      ['Read why it was revoked', 'Прочтите причину отзыва'],
      [
        'See which released version fits the board[; it runs {pcb.firmware.currentVersion}]',
        'Какая выпущенная версия подходит плате[; сейчас {pcb.firmware.currentVersion}]',
      ],
    ],
    actions: [['Request the update to a released version', 'Запросите обновление на выпущенную версию']],
  },
} as const satisfies Record<string, WarningGuide>
