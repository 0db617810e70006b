import { type IconName, iconPaths } from '#ui/icon/icon-paths.ts'

const isIconName = (name: string): name is IconName => Object.hasOwn(iconPaths, name)

/** The definition's icon, if the kit has it. */
export const iconName = (name: string | undefined): IconName | undefined => (name && isIconName(name) ? name : undefined)
