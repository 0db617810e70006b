import { createRoot } from 'react-dom/client'
import { Floor } from './floor.tsx'
import './floor.css'

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')
createRoot(root).render(<Floor />)
