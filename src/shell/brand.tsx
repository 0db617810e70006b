import { Icon } from '#ui/icon/icon.tsx'
import { Link } from '#ui/layout/link.tsx'
import { useWords } from './use-words.ts'

/** The product's mark and name; leads to the first page. */
export function Brand() {
  const words = useWords()
  return (
    <Link href="/" className="shell-brand">
      <Icon name="bolt" sizePx={20} />
      <span>{words('app.title')}</span>
    </Link>
  )
}
