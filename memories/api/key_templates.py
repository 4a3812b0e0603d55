"""`keys/templates/`: what keys of one purpose are given."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memories.forms.template_input import (
    TemplateAnswer,
    TemplateInput,
    TemplatesAnswer,
    rendered_template,
    values_of,
)
from tenants.forms.documented import IF_MATCH, documented
from tenants.forms.if_match import etag, if_match
from tenants.forms.request_scope import request_scope
from tenants.scope import Ability
from tenants.services.change_template import (
    get_template,
    list_templates,
    put_template,
    remove_template,
    version_of,
)


class KeyTemplates(APIView):
    """The templates of the tenant."""

    ability = Ability.KEYS_MANAGE

    @documented(answer=TemplatesAnswer, problems=(401, 403, 503), operation="key_templates_list")
    def get(self, request: Request) -> Response:
        """Return the templates by name."""
        found = list_templates(request_scope(request))
        return Response({"results": [rendered_template(template) for template in found]})


class KeyTemplateView(APIView):
    """One template."""

    ability = Ability.KEYS_MANAGE

    @documented(answer=TemplateAnswer, problems=(401, 403, 404, 503))
    def get(self, request: Request, name: str) -> Response:
        """Return the template."""
        template = get_template(request_scope(request), name)
        return Response(rendered_template(template), headers=etag(version_of(template)))

    @documented(
        answer=TemplateAnswer,
        body=TemplateInput,
        example={"description": "Reads only.", "abilities": ["memories:read"], "hidden_fields": ["sensitive_notes"]},
        headers=(IF_MATCH,),
        problems=(400, 401, 403, 404, 412, 503),
    )
    def put(self, request: Request, name: str) -> Response:
        """Make or replace the template; keys that were issued from it stay as they are.

        It can hold no more than the calling key has itself.
        """
        form = TemplateInput(data=request.data)
        form.is_valid(raise_exception=True)
        template = put_template(
            request_scope(request),
            values_of(name, form.validated_data),
            if_version=if_match(request),
            now=timezone.now(),
        )
        return Response(rendered_template(template), headers=etag(version_of(template)))

    @documented(answer=None, status=204, problems=(401, 403, 404, 503))
    def delete(self, request: Request, name: str) -> Response:
        """Remove the template; keys that were issued from it stay as they are."""
        remove_template(request_scope(request), name, now=timezone.now())
        return Response(status=204)
