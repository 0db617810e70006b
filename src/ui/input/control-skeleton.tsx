/** As high as an input that is on its way. */
export function ControlSkeleton() {
  return <span className="ui-skeleton ui-control-skeleton" aria-hidden="true" />
}
