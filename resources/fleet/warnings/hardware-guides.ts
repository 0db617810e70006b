import type { Label } from '#schema/words.ts'
import type { WarningGuide } from './warning-guide.ts'

const callQualified: Label = [
  'Leave the battery switched off and send a qualified electrician.',
  'Оставьте батарею отключённой и направьте квалифицированного электрика.',
]

/** Guides for hardware faults that boards report. */
export const hardwareGuides = {
  INSULATION_FAULT: {
    meaning: [
      'The insulation between the battery and earth is damaged. Touching metal parts can be dangerous. The battery has switched off.',
      'Нарушена изоляция между батареей и землёй. Прикасаться к металлу может быть опасно. Батарея отключилась.',
    ],
    causes: [
      ['Damaged cable or water in the cabinet', 'Повреждён кабель или вода в шкафу'],
      ['Leaking cell', 'Течь ячейки'],
      ['Fault on the side of the panels', 'Неисправность на стороне панелей'],
    ],
    checks: [
      ['Ask whether there was rain, a leak or work on site', 'Были ли дождь, протечка или работы на объекте'],
      [
        'Look whether it began with the sun[; solar power now {pvPowerW}]',
        'Началось ли это с восходом солнца[; солнце сейчас {pvPowerW}]',
      ],
    ],
    actions: [
      callQualified,
      ['Tell the people on site to keep away from the cabinet', 'Предупредите людей на объекте не подходить к шкафу'],
    ],
  },
  CONTACTOR_FAULT: {
    meaning: [
      'A contactor does not open or close on command. The battery cannot be connected or disconnected safely.',
      'Контактор не включается или не отключается. Безопасно подключить или отключить батарею нельзя.',
    ],
    causes: [
      ['Welded or worn contacts', 'Приварены или изношены контакты'],
      ['Weak supply of the coil', 'Слабое питание катушки'],
    ],
    checks: [
      ['Look at the supply voltage of the board[: now {supplyMv}]', 'Посмотрите напряжение питания платы[: сейчас {supplyMv}]'],
      [
        'See whether current flows although the battery is disconnected[: now {batteryCurrentA}, {bankState}]',
        'Идёт ли ток при отключённой батарее[: сейчас {batteryCurrentA}, {bankState}]',
      ],
    ],
    actions: [callQualified, ['Do not switch it on and off again from here', 'Не переключайте её повторно удалённо']],
  },
  FUSE_OPEN: {
    meaning: ['A main fuse is open: no power flows.', 'Перегорел главный предохранитель: ток не идёт.'],
    causes: [
      ['Short circuit or far too high current', 'Короткое замыкание или слишком большой ток'],
      ['Fuse aged or of a wrong type', 'Предохранитель старый или не того типа'],
    ],
    checks: [
      [
        'Look at the current before it happened[; now {batteryCurrentA}]',
        'Посмотрите ток перед событием[; сейчас {batteryCurrentA}]',
      ],
      ['Look for an insulation fault of the same time', 'Нет ли одновременно нарушения изоляции'],
    ],
    actions: [
      callQualified,
      ['The fuse is only changed after the cause was found', 'Меняйте предохранитель только после поиска причины'],
    ],
  },
  PRECHARGE_FAIL: {
    meaning: [
      'The voltages before and behind the contactor did not meet in time, so the battery was not connected.',
      'Напряжения до и после контактора не сравнялись вовремя, батарея не подключена.',
    ],
    causes: [
      ['Precharge resistor broken', 'Неисправен резистор предзаряда'],
      ['A load is switched on at the converter', 'На преобразователе включена нагрузка'],
    ],
    checks: [
      ['See how often it was tried', 'Сколько было попыток'],
      ['Ask whether the converter is switched on', 'Включён ли преобразователь'],
    ],
    actions: [
      [
        'Let the converter be switched off for 10 minutes and try once more',
        'Отключите преобразователь на 10 минут и повторите один раз',
      ],
      callQualified,
    ],
  },
  BMS_INTERNAL: {
    meaning: [
      'The battery management found a fault in itself. Its measurements cannot be relied on, so the battery is off.',
      'BMS обнаружила ошибку в себе. Её измерениям нельзя доверять, батарея отключена.',
    ],
    causes: [
      ['Fault of its electronics or its memory', 'Неисправность электроники или памяти'],
      ['Firmware error', 'Ошибка прошивки'],
    ],
    checks: [
      [
        'Look whether a firmware update was just made[: it runs {pcb.firmware.currentVersion}]',
        'Не было ли только что обновления прошивки[: сейчас {pcb.firmware.currentVersion}]',
      ],
      [
        'Look for restarts of the board[: {pcb.board.rebootCount} so far, the last one: {pcb.board.lastResetReason}]',
        'Были ли перезагрузки платы[: всего {pcb.board.rebootCount}, последняя: {pcb.board.lastResetReason}]',
      ],
    ],
    actions: [
      ['Install the latest released firmware', 'Установите последнюю выпущенную прошивку'],
      ['Plan the change of the board when it returns', 'Если повторится — запланируйте замену платы'],
    ],
  },
  FAN_FAULT: {
    meaning: ['A fan does not turn as fast as it should.', 'Вентилятор вращается медленнее нужного.'],
    causes: [
      ['Dust or something in the blades', 'Пыль или предмет в лопастях'],
      ['Fan worn', 'Износ вентилятора'],
    ],
    checks: [
      [
        'Watch the temperatures of cells and electronics[: now {cellTempMaxC} and {mosfetTempC}]',
        'Следите за температурами ячеек и электроники[: сейчас {cellTempMaxC} и {mosfetTempC}]',
      ],
      ['Ask on site whether it makes a noise', 'Спросите на объекте, шумит ли он'],
    ],
    actions: [
      ['Lower the power limits until it is changed', 'Снизьте пределы мощности до замены'],
      ['Plan the change at the next visit', 'Замените при ближайшем выезде'],
    ],
  },
  SENSOR_FAULT: {
    meaning: [
      'A sensor gives no value or one that cannot be true. Protection may rely on it.',
      'Датчик не даёт значений или даёт невозможные. На него может опираться защита.',
    ],
    causes: [
      ['Loose plug or broken wire', 'Плохой разъём или обрыв провода'],
      ['Sensor worn', 'Износ датчика'],
    ],
    checks: [
      ['See which channel is missing or stands still', 'Какой канал пропал или застыл'],
      ['Look at the packets of that time for doubted values', 'Посмотрите пакеты этого времени: какие значения под сомнением'],
    ],
    actions: [
      ['Lower the power limits by a third until it is repaired', 'До ремонта снизьте пределы мощности на треть'],
      ['Plan a visit', 'Запланируйте выезд'],
    ],
  },
  DOOR_OPEN: {
    meaning: ['The door of the cabinet is open.', 'Дверь шкафа открыта.'],
    causes: [
      ['Someone is working on it', 'Кто-то работает на объекте'],
      ['Door not closed or contact out of place', 'Дверь не закрыта или сбит концевик'],
    ],
    checks: [
      ['Ask whether a visit is planned', 'Запланирован ли выезд'],
      ['Call the owner', 'Позвоните владельцу'],
    ],
    actions: [
      ['Switch maintenance on while people work there', 'На время работ включите обслуживание'],
      ['If nobody knows of it, treat it as a break-in', 'Если никто не в курсе — считайте это вскрытием'],
    ],
  },
} as const satisfies Record<string, WarningGuide>
