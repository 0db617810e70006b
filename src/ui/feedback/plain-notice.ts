import type { KeyedNotification } from './notification.ts'

const boxOf = (key: string) => document.querySelector(`[data-plain-notice="${CSS.escape(key)}"]`)

function hide(key: string) {
  boxOf(key)?.remove()
}

/** Needs neither React nor antd: the message is readable even when their code fails to load. */
function show({ key, kind, title, text, durationS }: KeyedNotification) {
  hide(key)
  const box = document.createElement('div')
  box.className = `ui-notice ui-notice-${kind}`
  box.dataset.plainNotice = key
  const head = document.createElement('strong')
  head.textContent = title
  box.append(head)
  if (text) box.append(document.createElement('br'), text)
  box.addEventListener('click', () => hide(key))
  document.body.append(box)
  if (durationS > 0) setTimeout(() => hide(key), durationS * 1000)
}

export const plainNotice = { show, hide }
