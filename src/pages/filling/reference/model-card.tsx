import { useDefinition, useSay } from '#fields/definitions.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { listPath } from '#views/shared/paths.ts'
import { referenceWords } from './reference-words.ts'

/** Link to the list of models, which is an ordinary resource. */
export function ModelCard() {
  const sayLabel = useSay()
  const models = useDefinition('ess-model')
  const link = (
    <Button size="small" icon="battery" href={listPath(models)}>
      {sayLabel(models.label.many)}
    </Button>
  )
  return (
    <Banner tone="info" action={link}>
      {sayLabel(referenceWords.models)}
    </Banner>
  )
}
