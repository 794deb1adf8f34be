import type { AccountMailTexts } from './shape.ts'

export const enAccountMails: AccountMailTexts = {
  invite: {
    title: 'Join {project} on Deskbell',
    paragraphs: ['{inviter} invited you to join {project} and answer its customers with the team.'],
    action: 'Accept invite',
    small:
      "This link works once and expires in 7 days. If you didn't expect this invite, you can ignore this email.",
  },
  someone: 'Someone',
  reset: {
    title: 'Reset your password',
    paragraphs: [
      'Someone asked to reset the password for this address. If it was you, choose a new password.',
    ],
    action: 'Reset your password',
    small:
      "This link works once and expires in 1 hour. If it wasn't you, you can ignore this email. Your password stays the same.",
  },
  accountCreated: {
    title: 'Your Deskbell account was created',
    paragraphs: ['Someone created an account for this address with an invite link.'],
    action: 'Sign in',
    small: "If this wasn't you, reset your password on the sign-in page and tell an owner of your project.",
  },
  security: {
    action: 'Review security settings',
    small:
      "If this wasn't you, change your password and end all other sessions right away. If you can't sign in, ask an owner of your project for a password reset link.",
  },
  changes: {
    password_changed: {
      title: 'Your password was changed',
      paragraphs: ['The password for your account was changed. All other sessions were signed out.'],
    },
    password_reset: {
      title: 'Your password was changed',
      paragraphs: [
        'The password for your account was reset with a link. All sessions were signed out.',
        "Your authenticator app and passkeys haven't changed. You can check them in your account, under Security.",
      ],
    },
    second_step_off: {
      title: 'Two-factor authentication was turned off',
      paragraphs: ['You can now sign in to your account with only your password.'],
    },
    passkey_added: {
      title: 'A passkey was added to your account',
      paragraphs: ['You can now sign in to your account with this passkey, without a password.'],
    },
    passkey_removed: {
      title: 'A passkey was removed from your account',
      paragraphs: ['You can no longer sign in to your account with this passkey.'],
    },
    recovery_code_used: {
      title: 'A recovery code was used',
      paragraphs: [
        'A recovery code was used to sign in to your account. That code no longer works.',
        'In your account, under Security, you can see how many codes are left and create new ones.',
      ],
    },
  },
}
