const faceStorageKey = 'ess-console.face'

/**
 * Fetches the files of the own typeface that the page needs, then shows it. It comes after the first data, so that it delays none; the
 * next page of this browser begins with it (early-start.ts).
 */
export async function loadFace(storage: Pick<Storage, 'setItem'>): Promise<void> {
  const { fonts, body, documentElement } = document
  // A file that fails leaves the typeface of the system.
  const faces = await fonts.load("1em 'Inter Variable'", body.textContent).catch(() => [])
  if (faces.length === 0) return
  documentElement.dataset.face = 'own'
  try {
    storage.setItem(faceStorageKey, 'own')
  } catch {
    // The storage is full: the next page begins with the typeface of the system.
  }
}
