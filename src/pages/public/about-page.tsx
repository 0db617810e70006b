import { useWords } from '#shell/use-words.ts'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { PublicLayout } from './public-layout.tsx'

export function AboutPage() {
  const words = useWords()
  const facts = [
    { key: 'version', label: words('about.version'), value: import.meta.env.VITE_APP_VERSION },
    {
      key: 'api',
      label: words('about.api'),
      value: (
        <a className="ui-link" href="/api/docs">
          /api/docs
        </a>
      ),
    },
  ]
  return (
    <PublicLayout path="/about" title={words('about.title')} subtitle={words('about.text')}>
      <DescriptionList items={facts} />
    </PublicLayout>
  )
}
