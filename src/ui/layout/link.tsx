import { type ComponentPropsWithRef, type ComponentType, createContext, type ReactNode, useContext } from 'react'

export type LinkProps = ComponentPropsWithRef<'a'> & { href: string; replace?: boolean | undefined }

function PlainLink({ replace: _replace, children, ...anchor }: LinkProps) {
  return <a {...anchor}>{children}</a>
}

const LinkContext = createContext<ComponentType<LinkProps>>(PlainLink)

export type LinkProviderProps = { component: ComponentType<LinkProps>; children: ReactNode }

/** Tells the kit how an address is opened without a reload; without it links are plain anchors. */
export function LinkProvider({ component, children }: LinkProviderProps) {
  return <LinkContext value={component}>{children}</LinkContext>
}

/** A link by the component of the `LinkProvider`: the kit knows no router. */
export function Link(props: LinkProps) {
  const Injected = useContext(LinkContext)
  return <Injected {...props} />
}
