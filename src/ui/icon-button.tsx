import { Button, type ButtonProps } from './button.tsx'
import type { IconName } from './icon-paths.ts'

export type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'iconEnd'> & { icon: IconName; label: string }

/** A square button: the label is read out and shown as a title. */
export function IconButton({ label, kind = 'text', ...button }: IconButtonProps) {
  return <Button title={label} {...button} kind={kind} aria-label={label} />
}
