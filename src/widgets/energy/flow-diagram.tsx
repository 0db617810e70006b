import type { CSSProperties } from 'react'
import { useLanguage } from '#fields/definitions.tsx'
import { type Label, type Language, say } from '#schema/words.ts'
import { type IconName, iconPaths } from '#ui/icon/icon-paths.ts'
import { channelText } from '#widgets/telemetry/channel-text.ts'
import { energyWords } from './energy-words.ts'
import { type Flow, flowsOf, type Powers } from './figures.ts'

type Node = { name: keyof Powers; label: Label; icon: IconName; color: string; x: number; y: number; path: string }

const middle = { x: 180, y: 112 }

/** Node positions: solar above, battery below, grid left, house right. Paths end in the centre. */
const nodes: readonly Node[] = [
  { name: 'pvPowerW', label: energyWords.pv, icon: 'sun', color: 'warn', x: 180, y: 28, path: 'M180 54V100' },
  { name: 'gridPowerW', label: energyWords.grid, icon: 'bolt', color: 'info', x: 52, y: 112, path: 'M78 112H168' },
  { name: 'loadPowerW', label: energyWords.load, icon: 'home', color: 'load', x: 308, y: 112, path: 'M282 112H192' },
  { name: 'batteryPowerW', label: energyWords.battery, icon: 'battery', color: 'good', x: 180, y: 196, path: 'M180 170V124' },
]

/** Label position of a node relative to its centre. */
const textAt: Readonly<Record<keyof Powers, { dx: number; dy: number; anchor: 'start' | 'middle' }>> = {
  pvPowerW: { dx: 34, dy: -3, anchor: 'start' },
  batteryPowerW: { dx: 34, dy: -1, anchor: 'start' },
  gridPowerW: { dx: 0, dy: 44, anchor: 'middle' },
  loadPowerW: { dx: 0, dy: 44, anchor: 'middle' },
}

const valueText = (name: keyof Powers, value: number | null, language: Language) =>
  value === null ? say(energyWords.unknown, language) : channelText(name, value, language)

/** The direction has its own line: beside the value it overflows the drawing in some languages. */
function linesOf(name: keyof Powers, value: number | null, language: Language): string[] {
  const text = valueText(name, value, language)
  const bare = value === null ? text : channelText(name, value, language, { bare: true })
  return [text.slice(0, text.length - bare.length).trim(), bare].filter(Boolean)
}

/** The diagram as one sentence per node, for screen readers. */
export const flowText = (powers: Powers, language: Language): string =>
  nodes.map(({ name, label }) => `${say(label, language)}: ${valueText(name, powers[name], language)}.`).join(' ')

/** Current energy flow of a site, or of a fleet. */
export function FlowDiagram({ powers }: { powers: Powers }) {
  const language = useLanguage()
  const flows = flowsOf(powers)
  return (
    <svg
      className="energy-flow"
      viewBox="0 0 360 232"
      role="img"
      aria-label={`${say(energyWords.flow, language)}. ${flowText(powers, language)}`}
    >
      {nodes.map((node) => (
        <FlowLine key={node.name} node={node} flow={flows[node.name]} />
      ))}
      <circle className="energy-flow-middle" cx={middle.x} cy={middle.y} r={7} />
      {nodes.map((node) => (
        <FlowNode key={node.name} node={node} lines={linesOf(node.name, powers[node.name], language)} language={language} />
      ))}
    </svg>
  )
}

/** Animation speed: a stronger flow is faster, one to three seconds per cycle. */
const paceOf = ({ share }: Flow): CSSProperties => Object.fromEntries([['--pace', `${(3 - 2 * share).toFixed(1)}s`]])

/** Rotation of an arrow along its line, towards the centre. */
const turnOf: Readonly<Record<keyof Powers, number>> = { pvPowerW: 90, gridPowerW: 0, loadPowerW: 180, batteryPowerW: 270 }

function FlowLine({ node: { name, color, path, x, y }, flow }: { node: Node; flow: Flow }) {
  const turn = turnOf[name] + (flow.direction === 'out' ? 180 : 0)
  const [centerX, centerY] = [(x + middle.x) / 2, (y + middle.y) / 2]
  return (
    <g className={`energy-line energy-${color} energy-line-${flow.direction}`} style={paceOf(flow)}>
      <path className="energy-line-bed" d={path} />
      {flow.direction !== 'none' && (
        <>
          <path className="energy-line-run" d={path} />
          <path
            className="energy-line-head"
            d="M-5 -5L5 0L-5 5z"
            transform={`translate(${centerX} ${centerY}) rotate(${turn})`}
          />
        </>
      )}
    </g>
  )
}

function FlowNode({
  node: { name, label, icon, color, x, y },
  lines,
  language,
}: {
  node: Node
  lines: readonly string[]
  language: Language
}) {
  const { dx, dy, anchor } = textAt[name]
  // Beside the circle the lines are centred to it, below they follow it.
  const top = anchor === 'start' ? dy + 8.5 - 8.5 * lines.length : dy
  return (
    <g className={`energy-node energy-${color}`} transform={`translate(${x} ${y})`}>
      <circle r={25} />
      <path d={iconPaths[icon]} transform="translate(-12 -12)" />
      <text x={dx} y={top} textAnchor={anchor}>
        {say(label, language)}
      </text>
      {lines.map((line, index) => (
        <text key={line} className="energy-node-value" x={dx} y={top + 17 * (index + 1)} textAnchor={anchor}>
          {line}
        </text>
      ))}
    </g>
  )
}
