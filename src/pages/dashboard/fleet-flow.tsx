import type { SummaryFleet } from '#schema/wire/summary.ts'
import '#widgets/energy/energy.css'
import { FlowDiagram } from '#widgets/energy/flow-diagram.tsx'

export type FleetFlowProps = { fleet: SummaryFleet }

/** Energy flow of all online systems together. */
export const FleetFlow = ({ fleet }: FleetFlowProps) => <FlowDiagram powers={fleet} />
