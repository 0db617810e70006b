import { supportPath } from '#pages/public/public-forms.ts'
import { useWords } from '#shell/use-words.ts'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'

/** Deletion of the own account: done by an admin, and reversible for a time. */
export function DeletionCard() {
  const words = useWords()
  return (
    <Card title={words('profile.deletion.title')}>
      <div className="shell-form">
        <p className="shell-own-note">{words('profile.deletion.text')}</p>
        <div>
          <Button icon="mail" href={supportPath('deletion')}>
            {words('profile.deletion.ask')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
