import { Icon } from '#ui/icon/icon.tsx'
import { Link } from '#ui/layout/link.tsx'
import { useWords } from './use-words.ts'

/** Logo and name of the product, linked to the first page. */
export function Brand() {
  const words = useWords()
  return (
    <Link href="/" className="shell-brand">
      <Icon name="bolt" sizePx={20} />
      <span>{words('app.title')}</span>
    </Link>
  )
}
