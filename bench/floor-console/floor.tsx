import { type MouseEvent, useEffect, useState } from 'react'
import { type Row, textOf, useCall } from './call.ts'

const pageRows = 25
const columns = [
  'code',
  'name',
  'connection',
  'cause',
  'lastSignalAt',
  'worstWarning',
  'counts',
  'ownerId',
  'lifecycle',
] as const

function go(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault()
  history.pushState(null, '', event.currentTarget.href)
  dispatchEvent(new PopStateEvent('popstate'))
}

function List() {
  const [start, setStart] = useState(0)
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<string>('attention')
  const asked = search ? `&q=${encodeURIComponent(search)}` : ''
  const answer = useCall<Row[]>(`ess?_start=${start}&_end=${start + pageRows}&_sort=${sort}&_order=asc${asked}`)
  if (!answer) return <p>Loading</p>
  return (
    <>
      <input type="search" aria-label="Search" value={search} onChange={(event) => setSearch(event.target.value)} />
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} onClick={() => setSort(name)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.body.map((row) => (
            <tr key={row.id}>
              {columns.map((name) => (
                <td key={name}>
                  {name === 'code' ? (
                    <a href={`/ess/${row.id}`} onClick={go}>
                      {textOf(row.code)}
                    </a>
                  ) : (
                    textOf(row[name])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={() => setStart(start + pageRows)}>
        Next page
      </button>
      <p>of {answer.total}</p>
    </>
  )
}

function Boards({ id }: { id: string }) {
  const answer = useCall<Row[]>(`ess/${id}/control-pcb`)
  return (
    <ul>
      {answer?.body.map((row) => (
        <li key={row.id}>{textOf(row.code)}</li>
      ))}
    </ul>
  )
}

function Show({ id }: { id: string }) {
  const [tab, setTab] = useState('details')
  const answer = useCall<Row>(`ess/${id}`)
  if (!answer) return <p>Loading</p>
  return (
    <>
      <h1>{textOf(answer.body.code)}</h1>
      <button type="button" onClick={() => setTab('details')}>
        Details
      </button>
      <button type="button" onClick={() => setTab('boards')}>
        Boards
      </button>
      {tab === 'boards' ? (
        <Boards id={id} />
      ) : (
        <dl>
          {Object.entries(answer.body).flatMap(([name, value]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name}-`}>{textOf(value)}</dd>,
          ])}
        </dl>
      )}
    </>
  )
}

function Dashboard() {
  const answer = useCall<Row>(`dashboard/summary?zone=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}`)
  if (!answer) return <p>Loading</p>
  return (
    <dl>
      {Object.entries(answer.body).flatMap(([name, value]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name}-`}>{textOf(value)}</dd>,
      ])}
    </dl>
  )
}

/** List, record and dashboard as one would write them by hand for this API: React, fetch and plain HTML. */
export function Floor() {
  const [path, setPath] = useState(location.pathname)
  useEffect(() => {
    const follow = () => setPath(location.pathname)
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const [section, id] = path.split('/').filter(Boolean)
  const list = section === 'ess' ? <List /> : <Dashboard />
  return (
    <>
      <nav>
        <a href="/" onClick={go}>
          Dashboard
        </a>
        <a href="/ess" onClick={go}>
          ESS
        </a>
      </nav>
      <main>{section === 'ess' && id ? <Show key={id} id={id} /> : list}</main>
    </>
  )
}
