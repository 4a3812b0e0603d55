"""What is about an entity can be said to be about another one; it is then found by that one's name."""

from django.db import migrations

GRANTS = """
    GRANT UPDATE (entity_id) ON memories_memory TO mneme_tenant;
    GRANT UPDATE (subject_entity_id, object_entity_id) ON memories_relation TO mneme_tenant;
"""
BACK = """
    REVOKE UPDATE (entity_id) ON memories_memory FROM mneme_tenant;
    REVOKE UPDATE (subject_entity_id, object_entity_id) ON memories_relation FROM mneme_tenant;
"""
VECTORS = """
    CREATE TRIGGER repointed AFTER UPDATE ON memories_memory FOR EACH ROW
        WHEN (NEW.entity_id IS DISTINCT FROM OLD.entity_id)
        EXECUTE FUNCTION memories_drop_vectors('memories_memoryvector', 'memory_id');
    CREATE TRIGGER repointed AFTER UPDATE ON memories_relation FOR EACH ROW
        WHEN ((NEW.subject_entity_id, NEW.object_entity_id)
              IS DISTINCT FROM (OLD.subject_entity_id, OLD.object_entity_id))
        EXECUTE FUNCTION memories_drop_vectors('memories_relationvector', 'relation_id');
"""
NO_VECTORS = "DROP TRIGGER repointed ON memories_memory; DROP TRIGGER repointed ON memories_relation;"


class Migration(migrations.Migration):
    dependencies = [("memories", "0025_passages_walls")]
    operations = [migrations.RunSQL(GRANTS, BACK), migrations.RunSQL(VECTORS, NO_VECTORS)]
