/** Code for a server to create the token that identifies the visitor, by language. */
export const serverCode: Record<string, string> = {
  Node: `// npm install jose
import { SignJWT } from 'jose'

const token = await new SignJWT({ email: user.email, name: user.name })
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject(String(user.id))
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(process.env.DESKBELL_SECRET))`,
  Python: `# pip install PyJWT
import os
import time

import jwt

token = jwt.encode(
    {"sub": str(user.id), "email": user.email, "name": user.name, "exp": int(time.time()) + 3600},
    os.environ["DESKBELL_SECRET"],
    algorithm="HS256",
)`,
  PHP: `<?php // composer require firebase/php-jwt
$token = \\Firebase\\JWT\\JWT::encode(
    ['sub' => (string) $user->id, 'email' => $user->email, 'name' => $user->name, 'exp' => time() + 3600],
    getenv('DESKBELL_SECRET'),
    'HS256',
);`,
  Ruby: `# gem install jwt
require 'jwt'

token = JWT.encode(
  { sub: user.id.to_s, email: user.email, name: user.name, exp: Time.now.to_i + 3600 },
  ENV.fetch('DESKBELL_SECRET'),
  'HS256'
)`,
}
