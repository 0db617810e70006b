import type { Label } from '#schema/words.ts'

/** Texts of passkeys, loaded with their components instead of the sign-in page. */
export const passkeyWords = {
  signIn: ['Sign in with a passkey', 'Войти по ключу доступа'],
  use: ['Use a passkey', 'Использовать ключ доступа'],
  useCode: ['Enter a code instead', 'Ввести код'],
  stepLead: ['Confirm the sign-in with your passkey.', 'Подтвердите вход ключом доступа.'],

  title: ['Passkeys', 'Ключи доступа'],
  lead: [
    'A passkey signs you in by the fingerprint, face or PIN of a device, without the password, and is a second factor beside it.',
    'Ключ доступа — это вход по отпечатку, лицу или PIN-коду устройства, без пароля. При входе по паролю он служит вторым фактором.',
  ],
  none: ['No passkey yet', 'Пока нет ключей доступа'],
  add: ['Add a passkey', 'Добавить ключ доступа'],
  name: ['Name', 'Название'],
  nameHint: [
    'Tells your passkeys apart, for example “Office laptop”. Empty: the name of this browser.',
    'По нему вы отличите ключи, например «Рабочий ноутбук». Если пусто — название этого браузера.',
  ],
  next: ['Continue', 'Продолжить'],
  rename: ['Rename', 'Переименовать'],
  renameTitle: ['Rename the passkey', 'Переименовать ключ доступа'],
  renameHint: [
    'Tells your passkeys apart. The device keeps its own name.',
    'По нему вы отличите ключи. На устройстве название не меняется.',
  ],
  save: ['Save', 'Сохранить'],
  renamed: ['The passkey is renamed', 'Ключ доступа переименован'],
  added: ['The passkey is added', 'Ключ доступа добавлен'],
  created: ['Added {time}', 'Добавлен {time}'],
  used: ['last used {time}', 'последний вход {time}'],
  unused: ['not used yet', 'ещё не использовался'],
  remove: ['Remove', 'Удалить'],
  removeTitle: ['Remove the passkey “{name}”?', 'Удалить ключ доступа «{name}»?'],
  removeText: [
    'You can no longer sign in with it. Remove it from the device, too.',
    'Войти по нему больше не получится. Удалите его и с устройства.',
  ],
  removed: ['The passkey is removed', 'Ключ доступа удалён'],

  elsewhere: ['Passkeys work only at {origin}.', 'Ключи доступа работают только по адресу {origin}.'],
  nowhere: [
    'Passkeys do not work at the address of this console: it needs HTTPS and a host name.',
    'По адресу этой консоли ключи доступа не работают: нужны HTTPS и имя хоста.',
  ],
  unknown: ['This browser does not support passkeys.', 'Этот браузер не поддерживает ключи доступа.'],

  cancelled: [
    'No passkey was used: the question was cancelled, or took too long.',
    'Ключ доступа не использован: запрос отменён или истекло время.',
  ],
  present: ['This device has a passkey of yours already.', 'На этом устройстве уже есть ваш ключ доступа.'],
  otherAddress: [
    'The browser takes no passkeys of this console at this address.',
    'По этому адресу браузер не принимает ключи доступа консоли.',
  ],
  unfit: ['The browser or the device cannot do that.', 'Браузер или устройство этого не поддерживает.'],
} as const satisfies Record<string, Label>
