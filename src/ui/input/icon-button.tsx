import type { IconName } from '#ui/icon/icon-paths.ts'
import { Button, type ButtonProps } from './button.tsx'

export type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'iconEnd'> & { icon: IconName; label: string }

/** A square button: the label is its accessible name and tooltip. */
export function IconButton({ label, kind = 'text', ...button }: IconButtonProps) {
  return <Button title={label} {...button} kind={kind} aria-label={label} />
}
