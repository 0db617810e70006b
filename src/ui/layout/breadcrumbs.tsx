import { Link } from './link.tsx'

export type Crumb = { label: string; href?: string | undefined }
export type BreadcrumbsProps = { items: readonly Crumb[]; label: string }

export function Breadcrumbs({ items, label }: BreadcrumbsProps) {
  return (
    <nav className="ui-crumbs" aria-label={label}>
      <ol>
        {items.map((crumb) => (
          <li key={crumb.href ?? crumb.label}>
            {crumb.href ? <Link href={crumb.href}>{crumb.label}</Link> : <span aria-current="page">{crumb.label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
