import { sectionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { sectionLabels } from '#schema/section-labels.ts'
import type { Label } from '#schema/words.ts'

/** `rated-power` → Rated power: fallback for a section without a label. */
const spelled = (name: string): string => {
  const words = name
    .replace(/[-_]/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Title of a section: its own label, else the shared one. */
export function sectionTitle(resource: AnyResource, name: string): Label {
  const section = sectionsOf(resource)[name]
  if (section && 'label' in section) return section.label
  return sectionLabels[name] ?? [spelled(name), spelled(name)]
}
