import '#ui/kit.css'
import { type ReactNode, StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { restoreTheme } from '#ui/theme/theme.ts'
import { DialogsPage } from './dialogs-page.tsx'
import { FormPage } from './form-page.tsx'
import { GalleryFrame } from './gallery-frame.tsx'
import { ListPage } from './list-page.tsx'
import { PublicPage } from './public-page.tsx'
import { RecordPage } from './record-page.tsx'
import { manySamples } from './sample-rows.ts'
import { StatesPage } from './states-page.tsx'

const pages: Record<string, ReactNode> = {
  list: <ListPage />,
  long: <ListPage rows={manySamples} />,
  record: <RecordPage />,
  form: <FormPage />,
  states: <StatesPage />,
  dialogs: <DialogsPage />,
}

const readPage = () => window.location.hash.replace(/^#\/?/, '').split('/')[0] || 'list'

function Gallery() {
  const [page, setPage] = useState(readPage)
  useEffect(() => {
    const handleChange = () => setPage(readPage())
    window.addEventListener('hashchange', handleChange)
    return () => window.removeEventListener('hashchange', handleChange)
  }, [])
  if (page === 'public') return <PublicPage />
  return <GalleryFrame page={page}>{pages[page] ?? pages.list}</GalleryFrame>
}

restoreTheme()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Gallery />
    </StrictMode>,
  )
