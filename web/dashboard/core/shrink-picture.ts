import { Failure } from './failure.ts'
import { pageText } from './page-text.ts'

const side = 256

/**
 * Crops the image to a square, scales it to the size shown, and returns its bytes in base64. Metadata in the file, such as the location, is not uploaded.
 */
export async function shrinkPicture(file: File): Promise<string> {
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
