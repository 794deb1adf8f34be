/** Maps table and column names of better-auth to ours. */

const timeColumns = { createdAt: 'created_at', updatedAt: 'updated_at' }

export const user = {
  modelName: 'users',
  fields: { emailVerified: 'email_verified', ...timeColumns },
}

export const session = {
  modelName: 'user_sessions',
  fields: {
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    ...timeColumns,
  },
  additionalFields: { provider: { type: 'string' as const, required: false, input: false } },
}

export const account = {
  modelName: 'user_logins',
  fields: {
    userId: 'user_id',
    providerId: 'provider_id',
    accountId: 'account_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    ...timeColumns,
  },
}

export const verification = {
  modelName: 'user_tokens',
  fields: { expiresAt: 'expires_at', ...timeColumns },
}

export const twoFactorSchema = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
}

export const passkeySchema = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      userId: 'user_id',
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
}
