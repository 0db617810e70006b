import type { Label } from '#schema/words.ts'

/** Texts of second factors, loaded with their components instead of the sign-in page. */
export const factorWords = {
  title: ['Second factor', 'Второй фактор'],
  code: ['Code of your authenticator app', 'Код из приложения-аутентификатора'],
  recoveryCode: ['Recovery code', 'Резервный код'],
  useRecovery: ['Use a recovery code', 'Ввести резервный код'],
  useApp: ['Use the authenticator app', 'Ввести код из приложения'],
  restart: ['Back to the password', 'Назад к паролю'],
  signIn: ['Sign in', 'Войти'],
  fillCode: ['Enter the code', 'Введите код'],

  enrolLead: [
    'Your role signs in with a second factor. Set one up first: an authenticator app on your phone does.',
    'Для вашей роли нужен второй фактор. Сначала подключите его: подойдёт приложение-аутентификатор на телефоне.',
  ],
  begin: ['Set up an app', 'Подключить приложение'],
  scan: [
    'Scan this code with the app, or type the key into it. Then enter the six digits that the app shows.',
    'Отсканируйте код приложением или введите в него ключ. Затем введите шесть цифр, которые покажет приложение.',
  ],
  qr: ['QR code for the authenticator app', 'QR-код для приложения-аутентификатора'],
  key: ['Key', 'Ключ'],
  copy: ['Copy', 'Копировать'],
  finish: ['Confirm', 'Подтвердить'],
  recoveryTitle: ['Recovery codes', 'Резервные коды'],
  recoveryText: [
    'Each of them signs you in once when the phone is lost. They are shown now and never again: keep them in a safe place.',
    'Каждый из них один раз заменит потерянный телефон. Они показываются только сейчас: сохраните их в надёжном месте.',
  ],
  keepFirst: [
    'They are shown only this once. Keep them, then press “I have kept them”.',
    'Коды показываются только сейчас. Сохраните их и нажмите «Я их сохранил».',
  ],
  kept: ['I have kept them', 'Я их сохранил'],

  off: [
    'The password alone is enough to sign in. A code of an app on your phone guards the account when the password is stolen.',
    'Для входа достаточно пароля. Код из приложения на телефоне защитит учётную запись, если пароль украдут.',
  ],
  on: ['An authenticator app is set up since {time}.', 'Приложение-аутентификатор подключено {time}.'],
  left: ['Recovery codes left: {count}', 'Осталось резервных кодов: {count}'],
  renew: ['New recovery codes', 'Новые резервные коды'],
  remove: ['Remove', 'Удалить'],
  removeTitle: ['Remove the second factor?', 'Удалить второй фактор?'],
  removeText: [
    'The password alone is enough to sign in then. The recovery codes stop working.',
    'После этого для входа будет достаточно пароля. Резервные коды перестанут действовать.',
  ],
  removed: ['The second factor is removed', 'Второй фактор удалён'],
  noApp: [
    'No authenticator app is set up: your passkeys are the second factor.',
    'Приложение не подключено: вторым фактором служат ключи доступа.',
  ],
  removeApp: ['Remove the authenticator app?', 'Отключить приложение-аутентификатор?'],
  removeAppText: ['Your passkeys go on as the second factor.', 'Вторым фактором останутся ключи доступа.'],
  removedApp: ['The authenticator app is removed', 'Приложение-аутентификатор отключено'],
  required: ['Your role signs in with a second factor only.', 'Для вашей роли второй фактор обязателен.'],

  confirmTitle: ['Confirm that it is you', 'Подтвердите, что это вы'],
  confirmText: [
    'You signed in a while ago. What you have entered is kept.',
    'Вы вошли уже давно. Введённые данные сохранятся.',
  ],
  byProvider: [
    'Sign in again at the provider through which you sign in. It opens in a window of its own.',
    'Войдите ещё раз у провайдера, через которого вы входите. Он откроется в отдельном окне.',
  ],
  again: ['Sign in again', 'Войти ещё раз'],
  waiting: ['Sign in in the window that has opened.', 'Войдите в открывшемся окне.'],
  blocked: [
    'The browser has blocked the window. Allow pop-up windows for this page and try again.',
    'Браузер заблокировал окно. Разрешите всплывающие окна для этой страницы и повторите.',
  ],
  password: ['Password', 'Пароль'],
  confirm: ['Confirm', 'Подтвердить'],
  cancel: ['Cancel', 'Отмена'],
} as const satisfies Record<string, Label>
