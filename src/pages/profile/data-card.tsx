import { useAccount } from '#shell/account.ts'
import { useWords } from '#shell/use-words.ts'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { useDownload } from '#views/shared/use-download.ts'
import { useViews } from '#views/shared/view-context.tsx'

/** Data export of the signed-in user, as a file. */
export function DataCard() {
  const words = useWords()
  const { user } = useAccount()
  const { exportFile } = useViews()
  const { isBusy, save } = useDownload()
  if (!exportFile) return null
  const path = `user/${encodeURIComponent(user.id)}/data`
  return (
    <Card title={words('profile.data.title')}>
      <div className="shell-form">
        <p className="shell-own-note">{words('profile.data.text')}</p>
        <div>
          <Button icon="download" busy={isBusy} onClick={() => void save((way) => exportFile({ path, ...way }))}>
            {words('profile.data.save')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
