/** Placeholders of a guide: `{cellVoltageMaxMv}`, `{setting.socMinPct}`, `{pcb.board.lastResetReason}`, `{subject}`. */
const place = /\{([\w.]+)\}/g

/** The names that a text asks for. */
export const placesOf = (text: string): string[] => [...text.matchAll(place)].flatMap(([, name]) => name ?? [])

/** A guide's text with live values; a part in square brackets is left out where one of its values is not known. */
export const guideText = (text: string, factOf: (name: string) => string | undefined): string =>
  text.replace(/\[([^\]]*)\]/g, (_, part: string) =>
    placesOf(part).every((name) => factOf(name)) ? part.replace(place, (mark, name: string) => factOf(name) ?? mark) : '',
  )
