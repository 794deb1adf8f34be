import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encryptPush } from './encrypt-push.ts'

const decode = (text: string) => Buffer.from(text, 'base64url')

test('the example of RFC 8291 is encrypted as in the RFC', () => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const salt = decode('DGv6ra1nlYgDCS1FRnbzlw')
  const privateKey = decode('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw')
  assert.equal(
    encryptPush('When I grow up, I want to be a watermelon', keys, { salt, privateKey }).toString(
      'base64url',
    ),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})
