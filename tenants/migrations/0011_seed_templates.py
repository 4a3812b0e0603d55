"""Tenants that are there already get the templates that new ones begin with."""

from django.db import migrations

FORWARD = """
    INSERT INTO tenants_keytemplate (id, tenant_id, name, description, per_user, abilities, kinds, compartments,
                                     hidden_fields, purpose, lives_days, changed_at)
    SELECT gen_random_uuid(), tenant.id, seed.name, seed.description, seed.per_user, seed.abilities::varchar[],
           seed.kinds::varchar[], seed.compartments::varchar[], seed.hidden_fields::varchar[], seed.purpose,
           seed.lives_days::integer, now()
    FROM tenants_tenant AS tenant, (VALUES
        ('customer-service', 'A support agent: writes and recalls for every customer, and keeps the catalog.', false,
         '{turns:write,memories:read,memories:write,provenance:read,catalog:write}',
         '{episodic,semantic,procedural,entity,relation,catalog}',
         '{}', '{}', 'customer service', NULL),
        ('healthcare-doctor', 'A doctor''s assistant: every patient, what is for doctors only, and sensitive notes.', false,
         '{turns:write,memories:read,memories:write,provenance:read}',
         '{episodic,semantic,procedural,entity,relation,catalog}',
         '{doctor,patient}', '{}', 'treatment', NULL),
        ('healthcare-patient', 'A patient''s assistant: that patient only, nothing of the doctors'' own, no sensitive notes.', true,
         '{turns:write,memories:read}',
         '{episodic,semantic,procedural,entity,relation,catalog}',
         '{patient}', '{sensitive_notes}', 'patient''s own access', NULL),
        ('read-only-analyst', 'Reads what is known and where it came from; changes nothing, and ends after 90 days.', false,
         '{memories:read,provenance:read}',
         '{episodic,semantic,procedural,entity,relation,catalog}',
         '{}', '{sensitive_notes}', 'analysis', 90),
        ('family-care-carer', 'A carer''s assistant: the person cared for, with what is for carers and for the family.', true,
         '{turns:write,memories:read,memories:write,provenance:read}',
         '{episodic,semantic,procedural,entity,relation,catalog}',
         '{care,family}', '{}', 'care', NULL),
        ('family-care-relative', 'A relative''s assistant: the person cared for, without what is for carers only.', true,
         '{turns:write,memories:read}',
         '{episodic,semantic,procedural,entity,relation,catalog}',
         '{family}', '{sensitive_notes}', 'family', NULL)
    ) AS seed (name, description, per_user, abilities, kinds, compartments, hidden_fields, purpose, lives_days)
    ON CONFLICT DO NOTHING;
"""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0010_keys_walls")]
    operations = [migrations.RunSQL(FORWARD, migrations.RunSQL.noop)]
