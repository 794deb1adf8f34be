import { Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Avatar } from '../core/avatar.tsx'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { PictureButtons } from '../core/picture-buttons.tsx'
import { showSaved, useChange } from '../core/query.ts'
import { shrinkPicture } from '../core/shrink-picture.ts'
import { operatorKeys } from '../operators/query-keys.ts'
import { type Me, meQuery, useMe } from './me.ts'

/** An image is uploaded as soon as it is chosen. */
export function Picture() {
  const { name, image } = useMe().user
  const client = useQueryClient()
  const onDone = (me: Me) => {
    void showSaved(client, meQuery.queryKey, me)
    void client.invalidateQueries({ queryKey: operatorKeys.allPeople() })
  }
  const set = useChange({
    send: async (file: File) =>
      take(api.PUT('/me/picture', { body: { content: await shrinkPicture(file) } })),
    onDone,
  })
  const remove = useChange({ send: () => take(api.DELETE('/me/picture')), onDone })
  return (
    <Section title={pageText.account.picture} about={pageText.account.pictureAbout}>
      <Group>
        <Avatar name={name} src={image} size={64} />
        <PictureButtons
          words={{ choose: pageText.account.choosePicture, remove: pageText.account.removePicture }}
          onChoose={set.mutate}
          isChoosing={set.isPending}
          onRemove={image ? remove.mutate : undefined}
          isRemoving={remove.isPending}
        />
      </Group>
    </Section>
  )
}
