import { Button, FileButton, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, take } from '../core/api.ts'
import { Avatar } from '../core/avatar.tsx'
import { Failure } from '../core/failure.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { operatorKeys } from '../operators/query-keys.ts'
import { type Me, meQuery, useMe } from './me.ts'

const side = 256

/**
 * Crops and scales the image to the size shown. Metadata in the file, such as the location, is not uploaded.
 */
async function shrink(file: File): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) throw new Failure(422, { error_message: pageText.account.notAPicture })
  const cut = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const [x, y] = [(picture.width - cut) / 2, (picture.height - cut) / 2]
  canvas.getContext('2d')!.drawImage(picture, x, y, cut, cut, 0, 0, side, side)
  return canvas.toDataURL('image/webp', 0.9).split(',')[1]!
}

/** An image is uploaded as soon as it is chosen. */
export function Picture() {
  const { name, image } = useMe().user
  const client = useQueryClient()
  const onDone = (me: Me) => {
    client.setQueryData(meQuery.queryKey, me)
    void client.invalidateQueries({ queryKey: operatorKeys.allPeople() })
  }
  const set = useChange({
    send: async (file: File) => take(api.PUT('/me/picture', { body: { content: await shrink(file) } })),
    onDone,
  })
  const remove = useChange({ send: () => take(api.DELETE('/me/picture')), onDone })
  return (
    <Section title={pageText.account.picture} about={pageText.account.pictureAbout}>
      <Group>
        <Avatar name={name} src={image} size={64} />
        <FileButton
          accept="image/*"
          onChange={file => file && set.mutate(file)}
          inputProps={{ 'aria-label': pageText.account.choosePicture }}
        >
          {props => (
            <Button variant="default" loading={set.isPending} {...props}>
              {pageText.account.choosePicture}
            </Button>
          )}
        </FileButton>
        {image && (
          <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {pageText.account.removePicture}
          </Button>
        )}
      </Group>
    </Section>
  )
}
