import type { ReactNode } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import { SearchInput } from '#ui/input/search-input.tsx'
import { AppFrame } from '#ui/layout/app-frame.tsx'
import { Kbd } from '#ui/layout/kbd.tsx'
import { type NavGroup, SideNav } from '#ui/layout/side-nav.tsx'
import { Menu } from '#ui/overlay/menu.tsx'
import { setTheme, useTheme } from '#ui/theme/theme.ts'

const groups: NavGroup[] = [
  { key: 'top', items: [{ key: 'dashboard', label: 'Dashboard', href: '#/dashboard', icon: 'dashboard' }] },
  {
    key: 'fleet',
    label: 'Fleet',
    items: [
      {
        key: 'list',
        label: 'Energy storage',
        href: '#/list',
        icon: 'battery',
        count: { of: 128, tone: 'info', label: 'systems' },
      },
      { key: 'record', label: 'Control boards', href: '#/record', icon: 'board' },
      { key: 'chip', label: 'Power boards', href: '#/chip', icon: 'chip' },
    ],
  },
  {
    key: 'work',
    label: 'Administration',
    items: [
      { key: 'form', label: 'Clients', href: '#/form', icon: 'client' },
      { key: 'states', label: 'Users', href: '#/states', icon: 'users' },
      { key: 'dialogs', label: 'Firmware', href: '#/dialogs', icon: 'firmware' },
    ],
  },
]

export function Brand() {
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8, color: 'var(--ui-accent)' }}>
      <Icon name="bolt" sizePx={20} />
      <span style={{ color: 'var(--ui-text)' }}>Storage console</span>
    </span>
  )
}

export function GalleryFrame({ page, children }: { page: string; children: ReactNode }) {
  const { theme, choice } = useTheme()
  return (
    <AppFrame
      brand={<Brand />}
      sidebar={<SideNav label="Sections" groups={groups} current={page} />}
      sidebarFoot="Version 1.0.0"
      pageKey={page}
      header={
        <>
          <SearchInput label="Find anything" value="" onChange={() => undefined} />
          <span className="ui-wide-only">
            <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
          </span>
          <span style={{ flex: 1 }} />
          <Menu
            label="Language"
            icon="language"
            items={[
              { key: 'en', label: 'English', checked: true },
              { key: 'ru', label: 'Русский', checked: false },
            ]}
          />
          <Menu
            label="Look"
            icon={theme === 'dark' ? 'moon' : 'sun'}
            items={(['system', 'light', 'dark'] as const).map((each) => ({
              key: each,
              label: each,
              checked: each === choice,
              onSelect: () => setTheme(each),
            }))}
          />
          <Menu
            label="Account"
            icon="user"
            items={[
              { key: 'who', heading: 'anna@example.com' },
              { key: 'profile', label: 'Profile', icon: 'user', href: '#/profile' },
              { key: 'line', separator: true },
              { key: 'out', label: 'Sign out', icon: 'logout', danger: true },
            ]}
          />
        </>
      }
    >
      {children}
    </AppFrame>
  )
}
