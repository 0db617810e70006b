export function ControlSkeleton() {
  return <span className="ui-skeleton ui-control-skeleton" aria-hidden="true" />
}
