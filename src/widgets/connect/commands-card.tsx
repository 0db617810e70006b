import { useSay } from '#fields/definitions.tsx'
import { CopyButton } from '#ui/input/copy-button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { connectWords } from './connect-words.ts'

export const framesUrl = () => `${window.location.origin}/api/device/v1/frames`

const curlOf = (frameHex: string) => `read -rsp 'Device key: ' KEY
printf %s ${frameHex} | xxd -r -p | curl -sS ${framesUrl()} \\
  -H 'Content-Type: application/octet-stream' -H "X-Device-Key: $KEY" --data-binary @-`

const pythonOf = (uid: string) => `mkdir -p board && read -rsp 'Device key: ' KEY && printf %s "$KEY" > board/key
python3 examples/device/board.py --server ${window.location.origin} --uid ${uid} --folder board`

/** Shell commands that act as the board, to test line, key and uid before it is installed. */
export function CommandsCard({ uid, frameHex }: { uid: string; frameHex: string }) {
  const sayLabel = useSay()
  return (
    <Card title={sayLabel(connectWords.try)}>
      <Command title={sayLabel(connectWords.curl)} text={curlOf(frameHex)} />
      <Command title={sayLabel(connectWords.python)} text={pythonOf(uid)} />
      <p className="connect-note">{sayLabel(connectWords.asks)}</p>
    </Card>
  )
}

function Command({ title, text }: { title: string; text: string }) {
  return (
    <section className="connect-command" aria-label={title}>
      <h3>
        {title} <CopyButton text={text} />
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}
