import { Component, type ReactNode } from 'react'

type ErrorBoundaryProps = { fallback: (error: unknown, retry: () => void) => ReactNode; children: ReactNode }
type Caught = { error: unknown } | undefined

/** Error boundary of a page; the frame survives. Key it by the page, so that another page starts without the error. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { caught: Caught }> {
  override state: { caught: Caught } = { caught: undefined }

  static getDerivedStateFromError(error: unknown): { caught: Caught } {
    return { caught: { error } }
  }

  readonly #retry = () => this.setState({ caught: undefined })

  override render(): ReactNode {
    const { caught } = this.state
    return caught ? this.props.fallback(caught.error, this.#retry) : this.props.children
  }
}
